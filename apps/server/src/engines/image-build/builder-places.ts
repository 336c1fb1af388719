import { EngineFailure } from '../failure.ts';
import type { BuilderSlot, Builders, RunningBuilder } from './builders-port.ts';

/** One place for a builder. `apps`: what it has built, whose steps its cache holds. */
type Place<Running> = {
  slot: BuilderSlot;
  isBusy: boolean;
  apps: Set<string>;
  running: Running | undefined;
  idle: NodeJS.Timeout | undefined;
};

export type PlaceDeps<Running> = {
  start(
    slot: BuilderSlot,
    writeLine: (line: string) => void,
    signal: AbortSignal,
  ): Promise<Running>;
  /** Called when a build has filled the disk of a builder, after that was stopped. */
  removeCache(slot: BuilderSlot): Promise<void>;
  /** Builders without work are stopped after this time. */
  idleMs: number;
  logError(error: unknown): void;
};

/** Builders by owner. They stay for the next build, and are stopped when none comes. */
export type BuilderPlaces<Running extends RunningBuilder> = Builders<Running> & {
  /** Stops the builders without work, of one owner or of all. */
  stopIdle(ownerId?: string): Promise<void>;
  isUsed(slot: BuilderSlot): boolean;
  close(): Promise<void>;
};

/** A free place that knows the app, or any free one. */
export function choosePlace<P extends { isBusy: boolean; apps: Set<string> }>(
  places: P[],
  appId: string,
): P | undefined {
  const free = places.filter(({ isBusy }) => !isBusy);
  return free.find(({ apps }) => apps.has(appId)) ?? free[0];
}

export function createBuilderPlaces<Running extends RunningBuilder>(
  deps: PlaceDeps<Running>,
): BuilderPlaces<Running> {
  const places = new Map<string, Place<Running>[]>();

  function takePlace(ownerId: string, appId: string): Place<Running> {
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

  /** It is not used again, whether or not it could be stopped. */
  async function stop(place: Place<Running>): Promise<void> {
    const { running } = place;
    place.running = undefined;
    await running?.stop();
  }

  async function stopAfter(error: unknown, place: Place<Running>, signal: AbortSignal) {
    const isFull = error instanceof EngineFailure && error.reason === 'build-disk-full';
    if (signal.aborted || isFull || !hasEnded(error)) await stop(place);
    if (isFull) await deps.removeCache(place.slot);
  }

  function stopLater(place: Place<Running>): void {
    place.idle = setTimeout(() => stopIdle(place).catch(deps.logError), deps.idleMs);
    place.idle.unref();
  }

  async function stopIdle(place: Place<Running>): Promise<void> {
    if (place.isBusy || place.running === undefined) return;
    clearTimeout(place.idle);
    place.isBusy = true;
    await stop(place).finally(() => {
      place.isBusy = false;
    });
  }

  return {
    async use(request, work, signal) {
      const place = takePlace(request.ownerId, request.appId);
      try {
        if (place.running !== undefined && !(await place.running.isRunning(signal))) {
          await stop(place);
        }
        place.running ??= await deps.start(place.slot, request.writeLine, signal);
        const { running } = place;
        const killsBefore = await running.memoryKills(signal);
        return await work({
          ...running,
          wasOutOfMemory: async (checkSignal) =>
            (await running.memoryKills(checkSignal)) > killsBefore,
        });
      } catch (error) {
        // What fails here must not hide why the build failed.
        await stopAfter(error, place, signal).catch(deps.logError);
        throw error;
      } finally {
        place.isBusy = false;
        if (place.running !== undefined) stopLater(place);
      }
    },
    async stopIdle(ownerId) {
      const chosen = [...places].flatMap(([owner, own]) =>
        ownerId === undefined || owner === ownerId ? own : [],
      );
      for (const place of chosen) await stopIdle(place);
    },
    isUsed({ ownerId, number }) {
      const place = places.get(ownerId)?.find(({ slot }) => slot.number === number);
      return place !== undefined && (place.isBusy || place.running !== undefined);
    },
    async close() {
      const all = [...places.values()].flat();
      for (const { idle } of all) clearTimeout(idle);
      await Promise.all(all.map(stop));
    },
  };
}

/** Whether nothing of a build that failed with this error runs any more. Programs in a pod do not end with the connection to it. */
function hasEnded(error: unknown): boolean {
  return error instanceof EngineFailure && error.reason !== 'cluster-down';
}
