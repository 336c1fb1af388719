import { LATENCY_BOUNDS_MS } from '@longshore/edge-contract';
import { expect, it } from 'vitest';
import type { EndedRequest } from '../proxy/request-facts.ts';
import { addCounters, countRequest, latencyBucket, noRequests, statusClass } from './counters.ts';

const REQUEST: EndedRequest = {
  appId: 'a',
  method: 'GET',
  host: 'h',
  path: '/',
  status: 200,
  startedAt: 0,
  bytesIn: 3,
  bytesOut: 5,
};

it.each([
  [101, 0],
  [200, 1],
  [304, 2],
  [404, 3],
  [499, 3],
  [0, 3],
  [599, 4],
  [999, 4],
  [42, 0],
])('counts the status %i in class %i', (status, index) => {
  expect(statusClass(status)).toBe(index);
});

it.each([
  [-1, 0],
  [0, 0],
  [5, 0],
  [5.01, 1],
  [10, 1],
  [100, 4],
  [101, 5],
  [10_000, 10],
  [10_001, 11],
  [Number.POSITIVE_INFINITY, 11],
])('counts a duration of %d ms in bucket %i', (durationMs, bucket) => {
  expect(latencyBucket(durationMs)).toBe(bucket);
});

it('sums what it counts', () => {
  const sum = noRequests('a', 9);
  expect(sum.latencies).toHaveLength(LATENCY_BOUNDS_MS.length + 1);
  countRequest(sum, REQUEST, 7);
  countRequest(sum, { ...REQUEST, status: 503 }, 20_000);
  const other = noRequests('a', 9);
  countRequest(other, REQUEST, 7);
  addCounters(sum, other);
  expect(sum).toEqual({
    appId: 'a',
    minute: 9,
    statuses: [0, 2, 0, 0, 1],
    latencies: [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    durationMs: 20_014,
    bytesIn: 9,
    bytesOut: 15,
  });
});

it('leaves the time a websocket was open out of the latencies', () => {
  const counters = noRequests('a', 9);
  countRequest(counters, { ...REQUEST, status: 101 }, 3_600_000);
  expect(counters.statuses).toEqual([1, 0, 0, 0, 0]);
  expect(counters.latencies.every((count) => count === 0)).toBe(true);
  expect(counters.durationMs).toBe(0);
  expect(counters.bytesOut).toBe(5);
});
