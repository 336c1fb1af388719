import { buildLogName } from '@longshore/contract';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import type { EngineParts } from './deps.ts';
import { appLayout } from './layout.ts';
import { readRelease, writeRelease } from './release-record.ts';

/**
 * Both releases lie in the one folder: a copy would take its time, and what a build wrote may name the place it was
 * made in.
 */
export async function reuseRelease(
  { appId, number }: ReleaseSpec,
  from: number,
  parts: EngineParts,
): Promise<void> {
  const layout = appLayout(parts.dataDir, appId);
  const built = await readRelease(layout, from);
  if (built === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${from} is not built`]);
  }
  const say = (line: string) => parts.logs.append(appId, buildLogName(appId, number), line);
  say(`Release ${number}: reusing the build of release ${from}, ${built.revision}`);
  await writeRelease(layout, { ...built, number, builtAs: built.builtAs ?? built.number });
}
