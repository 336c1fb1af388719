import { createHash } from 'node:crypto';
import { type DesiredRelease, desiredRelease, type ReleaseValues } from '@longshore/contract';

/** Hashes of the settings that a release consists of: by the current rule, and by the older one. */
export function desiredHashes(values: ReleaseValues, redeploys: number): [string, string] {
  const settings = desiredRelease(values);
  const [origin, env, , ...others] = settings;
  return [hashOf(settings, redeploys), hashOf([origin, env, values.ports, ...others], redeploys)];
}

/** Without a redeploy the hash is the one that was stored before redeploys existed. */
function hashOf(settings: DesiredRelease, redeploys: number): string {
  const parts = redeploys === 0 ? settings : [...settings, redeploys];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
