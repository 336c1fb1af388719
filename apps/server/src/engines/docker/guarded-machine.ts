import { setTimeout as delay } from 'node:timers/promises';
import type { SpaceLevel } from '../disk-full.ts';
import type { GuardedMachine } from '../disk-guard.ts';
import { inspectInstances, listCommandContainers, listOwnContainers } from './containers.ts';
import type { DockerDeps } from './deps.ts';
import { LABELS } from './ownership.ts';
import { inspectCommands } from './run-command.ts';
import { measureDeletedFiles, measureWrittenFiles } from './written-files.ts';

/** Few files may be left although there are bytes, so a file counts even if it is empty. */
const FILE_BYTES = 4096;
/** An app with so many files that it takes longer must not delay the sizes of the others. */
const PATIENCE_MS = 1_000;

type GuardDeps = Pick<DockerDeps, 'docker' | 'owner' | 'space' | 'builders' | 'logError'>;

/** What the guard of this engine watches. Containers are measured only while space is low. */
export function machineOfContainers(
  deps: GuardDeps,
  stop: GuardedMachine['stop'],
  signal: AbortSignal,
): GuardedMachine {
  const known = new Map<string, number>();
  const measuring = new Map<string, Promise<void>>();

  async function measure(appId: string): Promise<void> {
    const containers = [
      ...(await inspectInstances(appId, deps, signal)),
      ...(await inspectCommands(appId, deps, signal)),
    ];
    const [written, deletedBytes] = await Promise.all([
      measureWrittenFiles(containers, signal),
      measureDeletedFiles(containers, signal),
    ]);
    if (written === undefined) return;
    known.set(appId, written.bytes + written.files * FILE_BYTES + deletedBytes);
  }

  function measureOnce(appId: string): Promise<void> {
    const running =
      measuring.get(appId) ??
      measure(appId)
        .catch((error: unknown) => signal.aborted || deps.logError(error))
        .then(() => void measuring.delete(appId));
    measuring.set(appId, running);
    return running;
  }

  return {
    space: () => spaceWithoutCaches(deps),
    async sizes() {
      const containers = await listOwnContainers(deps, {}, signal);
      const commands = await listCommandContainers(deps, signal);
      const ofInstances = containers.map(({ Labels }) => Labels[LABELS.app] ?? '');
      const appIds = [...new Set([...ofInstances, ...commands.map(({ appId }) => appId)])];
      for (const appId of known.keys()) if (!appIds.includes(appId)) known.delete(appId);
      const patience = delay(PATIENCE_MS, undefined, { ref: false });
      await Promise.race([Promise.all(appIds.map(measureOnce)), patience]);
      return new Map(appIds.map((appId) => [appId, known.get(appId)]));
    },
    stop,
  };
}

/** Caches can be made again, so they go before a build or an app has to suffer. */
export async function spaceWithoutCaches({
  space,
  builders,
}: Pick<DockerDeps, 'space' | 'builders'>): Promise<SpaceLevel> {
  const level = await space.level();
  if (level !== 'short') return level;
  await builders.removeCaches();
  return await space.level();
}
