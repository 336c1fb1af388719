import type { Release } from './semaphore.ts';

/** Must not reject. */
type Work = () => Promise<void>;

export type AcquireOptions = {
  /** How many slots this key may hold at once. Default: as the queue allows. */
  maxPerKey?: number;
  /** Aborting ends the wait with its reason, and the place in the queue is free. */
  signal?: AbortSignal;
  /**
   * Called with the place in the queue, from 1, if no slot is free for the key now, and when that place changes. Far back in the
   * queue, small changes are not reported: with 1,000 waiting, each free slot would change 1,000 places.
   */
  onWait?(place: number): void;
};

/**
 * Limits what runs at once, and shares the slots among the keys: a free slot goes to the key that holds the fewest, in rotation.
 * While a key that holds none waits, every other key gets at most one slot.
 */
export type FairQueue = {
  /** Runs the work at once if the limits allow it, or else when its turn comes. */
  add(key: string, work: Work): void;
  /** Waits for a slot. */
  acquire(key: string, options?: AcquireOptions): Promise<Release>;
  countsOf(key: string): { running: number; waiting: number };
  /** Of all keys. */
  totals(): { running: number; waiting: number };
};

export type FairQueueLimits = { maxRunning: number; maxRunningPerKey: number };

type Entry = {
  key: string;
  maxPerKey: number;
  start(release: Release): void;
  onWait?: AcquireOptions['onWait'];
  /** As last reported. */
  place?: number;
};

/** Every change of a place up to this one is reported. */
const FRONT = 10;
/** Of the place as last reported, for places further back. */
const REPORTED_CHANGE = 0.2;

/** `last`: the place as last reported, if it was. */
function isReported(place: number, last: number | undefined): boolean {
  if (last === undefined || place <= FRONT) return place !== last;
  return Math.abs(place - last) >= REPORTED_CHANGE * last;
}

export function createFairQueue({ maxRunning, maxRunningPerKey }: FairQueueLimits): FairQueue {
  const runningByKey = new Map<string, number>();
  /** Waiting entries per key, never empty. Keys are in the order of the rotation. */
  const backlogs = new Map<string, Entry[]>();
  let running = 0;
  /** Waiting entries whose place is reported. */
  let watched = 0;

  /** Starts the entry now or later. The result removes it, whether it waits or runs. */
  function enter(entry: Entry): Release {
    const backlog = backlogs.get(entry.key) ?? [];
    backlogs.set(entry.key, backlog);
    backlog.push(entry);
    if (entry.onWait !== undefined) watched += 1;
    startWaiting();
    return () => {
      leave(entry);
      reportPlaces();
    };
  }

  function leave(entry: Entry): void {
    const backlog = backlogs.get(entry.key) ?? [];
    const at = backlog.indexOf(entry);
    if (at === -1) return;
    backlog.splice(at, 1);
    if (entry.onWait !== undefined) watched -= 1;
    if (backlog.length === 0) backlogs.delete(entry.key);
  }

  function startWaiting(): void {
    while (running < maxRunning) {
      const entry = nextEntry(backlogs, runningByKey);
      if (entry === undefined) break;
      leave(entry);
      moveToEnd(entry.key);
      count(entry.key, 1);
      entry.start(releaseOf(entry.key));
    }
    reportPlaces();
  }

  function reportPlaces(): void {
    if (watched === 0) return;
    for (const [index, entry] of startOrder(backlogs, runningByKey).entries()) {
      const place = index + 1;
      if (!isReported(place, entry.place)) continue;
      entry.place = place;
      entry.onWait?.(place);
    }
  }

  function releaseOf(key: string): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      count(key, -1);
      moveToEnd(key);
      startWaiting();
    };
  }

  function count(key: string, change: 1 | -1): void {
    running += change;
    const ofKey = (runningByKey.get(key) ?? 0) + change;
    if (ofKey === 0) runningByKey.delete(key);
    else runningByKey.set(key, ofKey);
  }

  function moveToEnd(key: string): void {
    const backlog = backlogs.get(key);
    if (backlog === undefined) return;
    backlogs.delete(key);
    backlogs.set(key, backlog);
  }

  return {
    add(key, work) {
      const start = (release: Release) => void work().finally(release);
      enter({ key, maxPerKey: maxRunningPerKey, start });
    },
    async acquire(key, { maxPerKey = maxRunningPerKey, signal, onWait } = {}) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Release>();
      let isWaiting = true;
      const start = (release: Release) => {
        isWaiting = false;
        resolve(release);
      };
      const cancel = enter({ key, maxPerKey, start, ...(onWait && { onWait }) });
      if (!isWaiting) return await promise;
      const abort = () => {
        cancel();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      return await promise.finally(() => signal?.removeEventListener('abort', abort));
    },
    countsOf: (key) => ({
      running: runningByKey.get(key) ?? 0,
      waiting: backlogs.get(key)?.length ?? 0,
    }),
    totals: () => ({
      running,
      waiting: [...backlogs.values()].reduce((sum, entries) => sum + entries.length, 0),
    }),
  };
}

/** The oldest entry of the key that may start next: the one with the fewest running, the first one in rotation if equal. */
function nextEntry(
  backlogs: ReadonlyMap<string, Entry[]>,
  runningByKey: ReadonlyMap<string, number>,
): Entry | undefined {
  let next: Entry | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [key, [entry]] of backlogs) {
    const ofKey = runningByKey.get(key) ?? 0;
    if (entry === undefined || ofKey >= entry.maxPerKey || ofKey >= fewest) continue;
    [next, fewest] = [entry, ofKey];
  }
  return next;
}

/** The order in which the waiting entries start if they take equally long and no other one comes. */
function startOrder(
  backlogs: ReadonlyMap<string, Entry[]>,
  runningByKey: ReadonlyMap<string, number>,
): Entry[] {
  const waiting = [...backlogs].map(([key, entries]) => {
    const held = runningByKey.get(key) ?? 0;
    return { entries, held, end: held + entries.length };
  });
  const byHeld = Map.groupBy(waiting, ({ held }) => held);
  const last = Math.max(0, ...waiting.map(({ end }) => end));
  const order: Entry[] = [];
  /** The keys that hold so many slots by then. Those that come from one slot less have moved to the end of the rotation. */
  let equal: typeof waiting = [];
  for (let held = 0; held < last; held += 1) {
    equal = [...(byHeld.get(held) ?? []), ...equal.filter(({ end }) => end > held)];
    order.push(...equal.flatMap((each) => each.entries[held - each.held] ?? []));
  }
  return order;
}
