import type { AccessLine, AppCounters, Clock, EdgeMessage } from '@longshore/edge-contract';
import type { AccessReport } from './access-log.ts';
import { addCounters } from './counters.ts';

type CountersMessage = Extract<EdgeMessage, { kind: 'counters' }>;
type AccessMessage = Extract<EdgeMessage, { kind: 'access' }>;

/** The connection to the server. */
export type AccessLink = {
  send(message: AccessMessage | CountersMessage): void;
  /** The server does not read as fast as the keeper writes. */
  isBusy(): boolean;
};

/** What the keeper of a new version gets from the one before it. */
export type AccessHandover = AccessReport & { batches: CountersMessage[] };

/**
 * Merges the reports of all workers and passes them on to the server: lines as they come, counters every few seconds. While
 * the server is away or slow, it keeps a limited number of lines, and counters until the server has stored them.
 */
export type AccessRelay = {
  receive(report: AccessReport): void;
  connected(link: AccessLink): void;
  disconnected(): void;
  /** The server has stored this batch of counters. */
  stored(run: string, batch: number): void;
  /** Everything the server has not got yet. Later reports of workers go to the successor too. */
  handOver(): AccessHandover;
  takeOver(handover: AccessHandover): void;
};

type AccessRelayLimits = {
  /** Lines that wait for the server: of each app, and of all. */
  linesPerApp: number;
  lines: number;
  /** Counters of one app and one minute that wait for the server. The oldest are dropped. */
  appMinutes: number;
  /** How many of them a message has at most. Both keep a message below `MAX_LINE_BYTES`. */
  linesPerMessage: number;
  countersPerMessage: number;
};

const ACCESS_RELAY_LIMITS: AccessRelayLimits = {
  linesPerApp: 1_000,
  lines: 5_000,
  appMinutes: 20_000,
  linesPerMessage: 250,
  countersPerMessage: 1_000,
};

/** A busy connection is tried again after so long. */
const RETRY_MS = 1_000;
/** Each batch of counters is a transaction of the database. */
const COUNTERS_INTERVAL_MS = 5_000;
/** The confirmation of a batch may be lost. */
const CONFIRMATION_MS = 60_000;

type AccessRelayDeps = {
  /** Unique for this process. */
  run: string;
  clock: Clock;
  report(text: string): void;
};

export function createAccessRelay(
  { run, clock, report }: AccessRelayDeps,
  limits = ACCESS_RELAY_LIMITS,
): AccessRelay {
  const waiting = createWaitingLines(limits);
  const counters = new Map<string, AppCounters>();
  /** Batches that the server has not confirmed. The first one was sent. */
  let batches: CountersMessage[] = [];
  let lastBatch = 0;
  let dropped = 0;
  let link: AccessLink | undefined;
  let linesTimer: unknown;
  let countersTimer: unknown;

  function sendLines(): void {
    clock.clearTimeout(linesTimer);
    linesTimer = undefined;
    while (link !== undefined && !waiting.isEmpty()) {
      if (link.isBusy()) {
        linesTimer = clock.setTimeout(sendLines, RETRY_MS);
        return;
      }
      link.send({ kind: 'access', ...waiting.take(limits.linesPerMessage) });
    }
  }

  /** Sends the batch that is not confirmed yet, or the next one. */
  function sendCounters(): void {
    stopCountersTimer();
    if (link === undefined) return;
    const batch = batches[0] ?? nextBatch();
    if (batch === undefined) return;
    link.send(batch);
    countersTimer = clock.setTimeout(sendCounters, CONFIRMATION_MS);
  }

  function nextBatch(): CountersMessage | undefined {
    if (counters.size === 0) return undefined;
    const taken = [...counters].slice(0, limits.countersPerMessage);
    for (const [key] of taken) counters.delete(key);
    lastBatch += 1;
    const entries = taken.map(([, entry]) => entry);
    const batch: CountersMessage = { kind: 'counters', run, batch: lastBatch, counters: entries };
    batches.push(batch);
    return batch;
  }

  function scheduleCounters(): void {
    if (link === undefined || counters.size === 0) return;
    countersTimer ??= clock.setTimeout(sendCounters, COUNTERS_INTERVAL_MS);
  }

  function stopCountersTimer(): void {
    clock.clearTimeout(countersTimer);
    countersTimer = undefined;
  }

  function addAll(added: AppCounters[]): void {
    for (const entry of added) {
      const key = `${entry.minute} ${entry.appId}`;
      const sum = counters.get(key);
      if (sum === undefined) counters.set(key, entry);
      else addCounters(sum, entry);
    }
    // A map iterates in the order of insertion: the oldest first.
    for (const key of counters.keys()) {
      if (counters.size <= limits.appMinutes) break;
      counters.delete(key);
      dropped += 1;
    }
  }

  function receive({ lines, omitted, counters: added }: AccessReport): void {
    waiting.add(lines, omitted);
    addAll(added);
    sendLines();
    scheduleCounters();
  }

  function disconnected(): void {
    link = undefined;
    clock.clearTimeout(linesTimer);
    linesTimer = undefined;
    stopCountersTimer();
  }

  return {
    receive,
    connected(newLink) {
      disconnected();
      link = newLink;
      if (dropped > 0) {
        report(`The counters of ${dropped} minutes of apps were dropped: the server was away`);
        dropped = 0;
      }
      if (batches.length > 0) sendCounters();
      sendLines();
      scheduleCounters();
    },
    disconnected,
    stored(storedRun, storedBatch) {
      const [first, ...others] = batches;
      if (first?.run !== storedRun || first.batch !== storedBatch) return;
      batches = others;
      stopCountersTimer();
      if (batches.length > 0) sendCounters();
      else scheduleCounters();
    },
    handOver() {
      disconnected();
      const handover = {
        ...waiting.take(Number.POSITIVE_INFINITY),
        counters: [...counters.values()],
        batches,
      };
      counters.clear();
      batches = [];
      return handover;
    },
    takeOver({ batches: unconfirmed, ...waitingReport }) {
      const isFirst = batches.length === 0;
      batches.push(...unconfirmed);
      if (isFirst && batches.length > 0) sendCounters();
      receive(waitingReport);
    },
  };
}

/** Lines for which there is no room are counted per app. */
function createWaitingLines(limits: AccessRelayLimits) {
  let lines: AccessLine[] = [];
  let perApp = new Map<string, number>();
  let omitted: Record<string, number> = {};

  function omit(appId: string, count: number): void {
    omitted[appId] = (omitted[appId] ?? 0) + count;
  }

  return {
    isEmpty: () => lines.length === 0 && Object.keys(omitted).length === 0,
    add(added: AccessLine[], alsoOmitted: Record<string, number>) {
      for (const line of added) {
        const ofApp = perApp.get(line.appId) ?? 0;
        if (ofApp >= limits.linesPerApp || lines.length >= limits.lines) omit(line.appId, 1);
        else {
          perApp.set(line.appId, ofApp + 1);
          lines.push(line);
        }
      }
      for (const [appId, count] of Object.entries(alsoOmitted)) omit(appId, count);
    },
    /** The oldest lines. With the last of them, how many were left out. */
    take(max: number): Pick<AccessReport, 'lines' | 'omitted'> {
      const taken = lines.slice(0, max);
      lines = lines.slice(max);
      if (lines.length > 0) return { lines: taken, omitted: {} };
      const all = { lines: taken, omitted };
      perApp = new Map();
      omitted = {};
      return all;
    },
  };
}
