import type { AccessLine, Clock } from '@longshore/edge-contract';
import type { Apps } from '../apps/apps.ts';
import type { TrafficBatch } from '../apps/traffic.ts';
import { accessText, omittedText } from '../logs/access-text.ts';
import type { LogStore } from '../logs/log-store.ts';
import type { Edge } from './edge.ts';

type RecordTrafficDeps = {
  edge: Pick<Edge, 'on' | 'countersStored'>;
  apps: Pick<Apps, 'existingAmong'>;
  logs: Pick<LogStore, 'appendAccess'>;
  traffic: { add(batch: TrafficBatch): Promise<unknown> };
  clock: Clock;
  logError(error: unknown): void;
};

type AccessMessage = { lines: AccessLine[]; omitted: Record<string, number> };
type LinesOfApp = { at: number; text: string }[];

/** The database was away: it may need a while. */
const RETRY_MS = 5_000;

/** Stores the requests that the edge reports: lines in the logs of the apps, counters in the database. */
export function recordTraffic({ edge, apps, logs, traffic, clock, logError }: RecordTrafficDeps) {
  /** Apps that were found in the database. */
  const known = new Set<string>();
  let latest: TrafficBatch | undefined;
  let storing: Promise<void> | undefined;
  let isStopped = false;
  let stopWaiting = () => {};

  /** A late line of a deleted app must not create its log again. */
  async function storeLines(byApp: Map<string, LinesOfApp>): Promise<void> {
    const unknown = [...byApp.keys()].filter((appId) => !known.has(appId));
    for (const appId of await apps.existingAmong(unknown)) known.add(appId);
    for (const [appId, lines] of byApp) if (known.has(appId)) logs.appendAccess(appId, lines);
  }

  /** The edge sends the next batch when this one is stored, so there is never more than one. */
  async function storeLatest(): Promise<void> {
    while (latest !== undefined && !isStopped) {
      const batch = latest;
      try {
        await traffic.add(batch);
        edge.countersStored(batch.run, batch.batch);
        if (latest === batch) latest = undefined;
      } catch (error) {
        logError(error);
        await wait(RETRY_MS);
      }
    }
    storing = undefined;
  }

  async function wait(delayMs: number): Promise<void> {
    if (isStopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimeout(resolve, delayMs);
    stopWaiting = () => {
      clock.clearTimeout(timer);
      resolve();
    };
    await promise;
  }

  edge.on('access', (message) => {
    if (!isStopped) void storeLines(linesByApp(message, clock.now())).catch(logError);
  });
  edge.on('counters', (batch) => {
    latest = batch;
    storing ??= storeLatest();
  });

  return {
    /** The app was deleted. */
    forget: (appId: string) => void known.delete(appId),
    async stop() {
      isStopped = true;
      stopWaiting();
      await storing;
    },
  };
}

/** The lines of each app. How many were omitted is said after them. */
function linesByApp({ lines, omitted }: AccessMessage, now: number) {
  const byApp = new Map<string, LinesOfApp>();
  const add = (appId: string, at: number, text: string) => {
    const ofApp = byApp.get(appId) ?? [];
    byApp.set(appId, ofApp);
    ofApp.push({ at, text });
  };
  for (const line of lines) add(line.appId, Math.round(line.at), accessText(line));
  for (const [appId, count] of Object.entries(omitted)) {
    add(appId, byApp.get(appId)?.at(-1)?.at ?? now, omittedText(count));
  }
  return byApp;
}
