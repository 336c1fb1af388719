import { systemClock } from '@longshore/edge-contract';
import { startDailyJob } from '../../../schedule/daily-job.ts';
import { EngineFailure } from '../../failure.ts';
import { createBuilderPlaces } from '../../image-build/builder-places.ts';
import type { BuilderSlot } from '../../image-build/builders-port.ts';
import type { BuilderMode } from '../../image-build/buildkitd.ts';
import { removeContainer } from '../containers.ts';
import type { EngineParts } from '../deps.ts';
import { ignoreMissing } from '../docker-error.ts';
import { BUILDER_LABEL, builderName, builderNamePrefix } from './builder-config.ts';
import { type BuilderDisks, createBuilderDisks } from './builder-disk.ts';
import { ensureBuilderImage, possibleModes } from './builder-image.ts';
import type { DockerBuilder, DockerBuilders } from './builders-port.ts';
import { type BuilderIsolation, BuilderNotReady, startBuilder } from './start-builder.ts';

const UNUSED_MS = 14 * 24 * 60 * 60_000;
const never = new AbortController().signal;

export function createBuilders(deps: EngineParts): DockerBuilders {
  const disks = createBuilderDisks({
    dataDir: deps.dataDir,
    sizeBytes: deps.limits.builderDiskBytes,
    clock: deps.clock,
  });
  let modes: Promise<BuilderMode[]> | undefined;
  let cleared: Promise<void> | undefined;

  /** No builder of this server runs yet: these were left by one that was killed. */
  function clearOnce(): Promise<void> {
    cleared ??= removeLeftovers(deps)
      .then(() => disks.releaseAll())
      .catch((error: unknown) => {
        cleared = undefined;
        throw error;
      });
    return cleared;
  }

  async function start(
    slot: BuilderSlot,
    writeLine: (line: string) => void,
    signal: AbortSignal,
  ): Promise<DockerBuilder> {
    await clearOnce();
    await ensureBuilderImage(deps, writeLine, signal);
    const isolation = await findIsolation(disks, deps, signal);
    // For all owners, so that nobody who cancels a build fails the builds of others.
    modes ??= possibleModes(deps, never);
    const possible = await modes.catch((error: unknown) => {
      modes = undefined;
      throw error;
    });
    for (const mode of possible) {
      const started =
        (await tryStart(slot, mode, isolation, signal)) ??
        (await tryStart(slot, mode, isolation, signal));
      // The machine will not change: all other builders start in this mode, also while the machine is too busy for it.
      if (started !== undefined) modes = Promise.resolve([mode]);
      if (started !== undefined) return started;
    }
    throw new EngineFailure('engine-failed', ['The builder does not start']);
  }

  /**
   * Undefined when buildkitd does not start. Then its cache is removed: what lies there is up to the owner's builds, and must
   * neither keep the builder from starting nor give it more privileges.
   */
  async function tryStart(
    slot: BuilderSlot,
    mode: BuilderMode,
    isolation: BuilderIsolation | undefined,
    signal: AbortSignal,
  ): Promise<DockerBuilder | undefined> {
    try {
      return await startBuilder(slot, mode, isolation, deps, signal);
    } catch (error) {
      if (!(error instanceof BuilderNotReady)) throw error;
      deps.logError(new Error(`A ${mode} builder does not start`, { cause: error }));
      await removeCache(slot, isolation);
      // Too slow is no reason for more privileges.
      if (!error.hasExited) throw new EngineFailure('engine-failed', [error.message]);
      return undefined;
    }
  }

  async function removeCache(
    slot: BuilderSlot,
    isolation: BuilderIsolation | undefined,
  ): Promise<void> {
    if (isolation !== undefined) return await disks.remove(slot);
    const name = builderName(deps.owner, slot);
    await ignoreMissing(deps.docker.call('DELETE', `/volumes/${name}`, { signal: never }));
  }

  const places = createBuilderPlaces({
    start,
    removeCache: disks.remove,
    idleMs: deps.limits.builderIdleMs,
    logError: deps.logError,
  });
  clearOnce().catch(deps.logError);
  // Also of owners that no longer exist.
  const daily = startDailyJob(
    () => disks.removeWhere(({ slot, unusedMs }) => unusedMs > UNUSED_MS && !places.isUsed(slot)),
    { clock: systemClock, logError: deps.logError },
  );
  return {
    use: places.use,
    usedBytes: disks.usedBytes,
    async removeCaches(ownerId) {
      const isChosen = (owner: string) => ownerId === undefined || owner === ownerId;
      await places.stopIdle(ownerId);
      await disks.removeWhere(({ slot }) => isChosen(slot.ownerId) && !places.isUsed(slot));
    },
    async close() {
      await daily.stop();
      await places.close();
    },
  };
}

async function findIsolation(
  disks: BuilderDisks,
  { sandbox }: EngineParts,
  signal: AbortSignal,
): Promise<BuilderIsolation | undefined> {
  const network = (await sandbox.open(signal))?.isolated?.network;
  return network && { network, disks };
}

async function removeLeftovers(deps: EngineParts): Promise<void> {
  const filters = JSON.stringify({ label: [`${BUILDER_LABEL}=${deps.owner.installation}`] });
  const labelled = await deps.docker.call<{ Id: string; Names: string[] }[]>(
    'GET',
    '/containers/json',
    { query: { all: true, filters }, signal: never },
  );
  // The image of an app may have this label too.
  const prefix = `/${builderNamePrefix(deps.owner)}`;
  const left = labelled.filter(({ Names }) => Names.some((name) => name.startsWith(prefix)));
  for (const { Id } of left) await removeContainer(Id, deps, never);
}
