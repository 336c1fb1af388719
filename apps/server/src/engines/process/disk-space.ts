import { statfs } from 'node:fs/promises';
import { MACHINE_RESERVE_BYTES } from '../../sandbox/disk/app-disks.ts';
import { EngineFailure, toEngineFailure } from '../failure.ts';
import type { EngineDeps } from './deps.ts';

/*
 * The disks of apps take space of the machine only as they fill up, so together they may be larger than the machine. A build
 * is refused before the machine is full. Instances still start: the apps of others must not suffer from a large build.
 */

/** Rejects when the machine has too little space for a build. */
export async function checkMachineSpace(deps: EngineDeps): Promise<void> {
  if (deps.isolated !== undefined && (await isMachineShort(deps)))
    throw new EngineFailure('disk-full');
}

/** What failed for lack of space while the disk of an isolated app was open failed for its own limit, if the machine has space. */
export async function blameAppDisk(error: unknown, deps: EngineDeps): Promise<unknown> {
  const { isolated, limits } = deps;
  const failure = toEngineFailure(error);
  if (isolated === undefined || failure.reason !== 'disk-full') return error;
  if (await isMachineShort(deps)) return error;
  const gibibytes = Math.round((limits.diskBytes / 1024 ** 3) * 10) / 10;
  return new EngineFailure('app-disk-full', [
    `The releases, the home folder and the temporary files of an app may use ${gibibytes} GiB together`,
    ...failure.evidence,
  ]);
}

async function isMachineShort({ dataDir }: EngineDeps): Promise<boolean> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize < MACHINE_RESERVE_BYTES;
}
