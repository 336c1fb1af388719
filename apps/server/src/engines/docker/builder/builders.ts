import { systemClock } from '@longshore/edge-contract';
import { startDailyJob } from '../../../schedule/daily-job.ts';
import { EngineFailure } from '../../failure.ts';
import { removeContainer } from '../containers.ts';
import type { EngineParts } from '../deps.ts';
import { ignoreMissing } from '../docker-error.ts';
import {
  BUILDER_LABEL,
  type BuilderMode,
  type BuilderSlot,
  builderName,
  builderNamePrefix,
} from './builder-config.ts';
import { type BuilderDisks, createBuilderDisks } from './builder-disk.ts';
import { ensureBuilderImage, possibleModes } from './builder-image.ts';
import type { Builders } from './builders-port.ts';
import {
  type BuilderIsolation,
  BuilderNotReady,
  type RunningBuilder,
  startBuilder,
} from './start-builder.ts';

/** One place for a builder. `apps`: what it has built, whose steps its cache holds. */
type Place = {
  slot: BuilderSlot;
  isBusy: boolean;
  apps: Set<string>;
  running: RunningBuilder | undefined;
  idle: NodeJS.Timeout | undefined;
};

const UNUSED_MS = 14 * 24 * 60 * 60_000;
const never = new AbortController().signal;

/** A free place that knows the app, or any free one. */
export function choosePlace<P extends Pick<Place, 'isBusy' | 'apps'>>(
  places: P[],
  appId: string,
): P | undefined {
  const free = places.filter(({ isBusy }) => !isBusy);
  return free.find(({ apps }) => apps.has(appId)) ?? free[0];
}

export function createBuilders(deps: EngineParts): Builders {
  const places = new Map<string, Place[]>();
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

  function takePlace(ownerId: string, appId: string): Place {
    const own = places.get(ownerId) ?? [];
    const found = choosePlace(own, appId);
    const place = found ?? {
      slot: { ownerId, number: own.length },
      isBusy: false,
      apps: new Set<string>(),
      running: undefined,
      idle: undefined,
    };
    if (found === undefined) places.set(ownerId, [...own, place]);
    clearTimeout(place.idle);
    place.isBusy = true;
    place.apps.add(appId);
    return place;
  }

  async function start(
    { slot }: Place,
    writeLine: (line: string) => void,
    signal: AbortSignal,
  ): Promise<RunningBuilder> {
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
  ): Promise<RunningBuilder | undefined> {
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

  async function stop(place: Place): Promise<void> {
    const { running } = place;
    place.running = undefined;
    await running?.stop();
  }

  function stopLater(place: Place): void {
    place.idle = setTimeout(() => stopIdle(place).catch(deps.logError), deps.limits.builderIdleMs);
    place.idle.unref();
  }

  async function stopIdle(place: Place): Promise<void> {
    if (place.isBusy || place.running === undefined) return;
    clearTimeout(place.idle);
    place.isBusy = true;
    await stop(place).finally(() => {
      place.isBusy = false;
    });
  }

  function isUsed({ ownerId, number }: BuilderSlot): boolean {
    const place = places.get(ownerId)?.find(({ slot }) => slot.number === number);
    return place !== undefined && (place.isBusy || place.running !== undefined);
  }

  clearOnce().catch(deps.logError);
  // Also of owners that no longer exist.
  const daily = startDailyJob(
    () => disks.removeWhere(({ slot, unusedMs }) => unusedMs > UNUSED_MS && !isUsed(slot)),
    { clock: systemClock, logError: deps.logError },
  );
  return {
    async use(request, work, signal) {
      const place = takePlace(request.ownerId, request.appId);
      try {
        if (place.running !== undefined && !(await place.running.isRunning(signal))) {
          await stop(place);
        }
        place.running ??= await start(place, request.writeLine, signal);
        const { builder, containerId, memoryKills } = place.running;
        const killsBefore = await memoryKills(signal);
        return await work({
          builder,
          containerId,
          wasOutOfMemory: async (checkSignal) => (await memoryKills(checkSignal)) > killsBefore,
        });
      } catch (error) {
        if (signal.aborted || !(error instanceof EngineFailure)) await stop(place);
        if (error instanceof EngineFailure && error.reason === 'build-disk-full') {
          await stop(place);
          await disks.remove(place.slot);
        }
        throw error;
      } finally {
        place.isBusy = false;
        if (place.running !== undefined) stopLater(place);
      }
    },
    usedBytes: disks.usedBytes,
    async removeCaches(ownerId) {
      const isChosen = (owner: string) => ownerId === undefined || owner === ownerId;
      const chosen = [...places].flatMap(([owner, own]) => (isChosen(owner) ? own : []));
      for (const place of chosen) await stopIdle(place);
      await disks.removeWhere(({ slot }) => isChosen(slot.ownerId) && !isUsed(slot));
    },
    async close() {
      await daily.stop();
      const all = [...places.values()].flat();
      for (const { idle } of all) clearTimeout(idle);
      await Promise.all(all.map(stop));
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
