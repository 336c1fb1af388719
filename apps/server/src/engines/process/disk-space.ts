import { isMachineShort } from '../disk-full.ts';
import { EngineFailure, toEngineFailure } from '../failure.ts';
import type { EngineDeps } from './deps.ts';

/** Rejects when the machine has too little space for a build. Instances still start: apps must not suffer from the builds of others. */
export async function checkMachineSpace({ dataDir, isolated }: EngineDeps): Promise<void> {
  if (isolated !== undefined && (await isMachineShort([dataDir])))
    throw new EngineFailure('disk-full');
}

/** What failed for lack of space while the disk of an isolated app was open failed for its own limit, if the machine has space. */
export async function blameAppDisk(error: unknown, deps: EngineDeps): Promise<unknown> {
  const { isolated, limits, dataDir } = deps;
  const failure = toEngineFailure(error);
  if (isolated === undefined || failure.reason !== 'disk-full') return error;
  if (await isMachineShort([dataDir])) return error;
  const gibibytes = Math.round((limits.diskBytes / 1024 ** 3) * 10) / 10;
  return new EngineFailure('app-disk-full', [
    `The releases, the home folder and the temporary files of an app may use ${gibibytes} GiB together`,
    ...failure.evidence,
  ]);
}
