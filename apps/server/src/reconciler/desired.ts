import { createHash } from 'node:crypto';
import {
  type AppValues,
  type DesiredRelease,
  desiredRelease,
  originOf,
  publicHostOf,
  type ReleaseValues,
  releaseValues,
} from '@longshore/contract';
import type { AppRow } from '../apps/reconciler-store.ts';
import type { ReleaseSpec } from '../engines/engine.ts';

const MINUTE_MS = 60_000;

/** What should be, computed from the user's wishes; no engine's words in it. */
export type DesiredApp = {
  id: string;
  generation: number;
  isDeleted: boolean;
  instances: number;
  /** Changes exactly when a new release is needed. */
  desiredHash: string;
  /** The same as it was written when a port that was let out was another wish than one that was not. */
  previousDesiredHash: string;
  /** What a new release would be made of. */
  values: ReleaseValues;
  spec: Omit<ReleaseSpec, 'number'>;
  /** The host names it is reached at; none when it is not public. */
  hosts: string[];
  /** Hibernated after so long without a visitor, and woken by the next; undefined when only its user does that. */
  sleepAfterMs: number | undefined;
};

export function desiredApp(app: AppRow, baseDomain: string): DesiredApp {
  const { values } = app;
  const spec: DesiredApp['spec'] = {
    appId: app.id,
    ownerId: app.ownerId,
    projectId: values.projectId,
    name: values.name,
    ...madeOf(values),
  };
  const wish = desiredRelease(values);
  const [origin, env] = wish;
  const hosts = hostsOf(app, baseDomain);
  return {
    id: app.id,
    generation: app.generation,
    isDeleted: app.deleted,
    instances: values.instances,
    desiredHash: hashOf(wish, app.redeploys),
    previousDesiredHash: hashOf([origin, env, values.ports], app.redeploys),
    values: releaseValues(values),
    spec,
    hosts,
    sleepAfterMs: hosts.length > 0 ? sleepAfterMs(values) : undefined,
  };
}

/** Those that never were made anew keep the hash they have had since before that could be asked for. */
function hashOf(wish: DesiredRelease, redeploys: number): string {
  const parts = redeploys === 0 ? wish : [...wish, redeploys];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Nobody could wake what nobody reaches, so the caller asks only for apps with hosts. */
function sleepAfterMs({ sleep }: AppValues): number | undefined {
  return sleep && sleep.afterMinutes * MINUTE_MS;
}

/** What an engine needs to know of the values a release is made of. */
export function madeOf(values: ReleaseValues): Pick<ReleaseSpec, 'origin' | 'env' | 'ports'> {
  return { origin: originOf(values), env: values.env, ports: values.ports };
}

function hostsOf({ id, values, isDomainLost }: AppRow, baseDomain: string): string[] {
  const host = isDomainLost ? undefined : publicHostOf({ ...values, id }, baseDomain);
  return host === undefined ? [] : [host];
}
