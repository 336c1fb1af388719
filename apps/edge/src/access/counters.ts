import { type AppCounters, LATENCY_BOUNDS_MS } from '@longshore/edge-contract';
import type { EndedRequest } from '../proxy/request-facts.ts';
import { CLIENT_CLOSED_REQUEST } from './access-line.ts';

const WEBSOCKET_STATUS = 101;
const STATUS_CLASSES = 5;

export function noRequests(appId: string, minute: number): AppCounters {
  return {
    appId,
    minute,
    statuses: [0, 0, 0, 0, 0],
    latencies: LATENCY_BOUNDS_MS.map(() => 0).concat(0),
    durationMs: 0,
    bytesIn: 0,
    bytesOut: 0,
  };
}

export function countRequest(
  counters: AppCounters,
  { status, bytesIn, bytesOut }: EndedRequest,
  durationMs: number,
): void {
  increment(counters.statuses, statusClass(status));
  // A websocket is open for as long as the visitor wants, which says nothing about the app's speed.
  if (status !== WEBSOCKET_STATUS) {
    increment(counters.latencies, latencyBucket(durationMs));
    counters.durationMs = (counters.durationMs ?? 0) + durationMs;
  }
  counters.bytesIn += bytesIn;
  counters.bytesOut += bytesOut;
}

/** The index in `statuses`. */
export function statusClass(status: number): number {
  const known = status === 0 ? CLIENT_CLOSED_REQUEST : status;
  return Math.min(Math.max(Math.floor(known / 100), 1), STATUS_CLASSES) - 1;
}

/** The index in `latencies`. A duration that equals a bound belongs below it. */
export function latencyBucket(durationMs: number): number {
  let bucket = 0;
  while (bucket < LATENCY_BOUNDS_MS.length && durationMs > (LATENCY_BOUNDS_MS[bucket] ?? 0)) {
    bucket += 1;
  }
  return bucket;
}

/** Adds the counters of the same app and minute to the first. */
export function addCounters(sum: AppCounters, added: AppCounters): void {
  added.statuses.forEach((count, index) => {
    increment(sum.statuses, index, count);
  });
  added.latencies.forEach((count, index) => {
    increment(sum.latencies, index, count);
  });
  sum.durationMs = (sum.durationMs ?? 0) + (added.durationMs ?? 0);
  sum.bytesIn += added.bytesIn;
  sum.bytesOut += added.bytesOut;
}

function increment(counts: number[], index: number, by = 1): void {
  counts[index] = (counts[index] ?? 0) + by;
}
