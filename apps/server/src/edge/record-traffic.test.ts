import type { AccessLine, AppCounters, EdgeMessage } from '@longshore/edge-contract';
import { createSimulatedClock, settle } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { TrafficBatch } from '../apps/traffic.ts';
import { recordTraffic } from './record-traffic.ts';

function setUp({ existing = ['a', 'b'] } = {}) {
  const clock = createSimulatedClock(9_000);
  const listeners = new Map<string, (message: never) => void>();
  const stored: unknown[] = [];
  const added: TrafficBatch[] = [];
  const lookups: string[][] = [];
  const texts: string[] = [];
  const errors: unknown[] = [];
  const database = { isAway: false };
  const recording = recordTraffic({
    edge: {
      on: (kind, listener) => void listeners.set(kind, listener),
      countersStored: (run, batch) => stored.push([run, batch]),
    },
    apps: {
      async existingAmong(appIds) {
        if (appIds.length > 0) lookups.push(appIds);
        if (database.isAway) throw new Error('no database');
        return appIds.filter((id) => existing.includes(id));
      },
    },
    logs: {
      appendAccess: (appId, lines) =>
        void texts.push(...lines.map(({ at, text }) => `${appId} ${at} ${text}`)),
    },
    traffic: {
      async add(batch) {
        if (database.isAway) throw new Error('no database');
        added.push(batch);
      },
    },
    clock,
    logError: (error) => void errors.push(error),
  });
  async function receive(message: EdgeMessage): Promise<void> {
    listeners.get(message.kind)?.(message as never);
    await settle();
  }
  return { clock, recording, receive, stored, added, lookups, texts, errors, database, existing };
}

const line = (appId: string, at: number): AccessLine => ({
  appId,
  at,
  method: 'GET',
  host: 'h',
  path: '/',
  status: 200,
  durationMs: 1,
  bytes: 2,
});
const access = (lines: AccessLine[], omitted = {}): EdgeMessage => ({
  kind: 'access',
  lines,
  omitted,
});
const counters = (batch: number): EdgeMessage => ({
  kind: 'counters',
  run: 'run',
  batch,
  counters: [] as AppCounters[],
});

it('adds requests to the logs of their apps, and says how many are missing', async () => {
  const { receive, texts } = setUp();
  await receive(access([line('a', 1), line('b', 2), line('a', 3)], { a: 7, b: 1 }));
  await receive(access([], { b: 2 }));
  const text = '200 GET    1.0 ms       2 B h/';
  expect(texts).toEqual([
    `a 1 ${text}`,
    `a 3 ${text}`,
    'a 3 … 7 requests are not listed here: too many at once',
    `b 2 ${text}`,
    'b 2 … 1 request is not listed here: too many at once',
    'b 9000 … 2 requests are not listed here: too many at once',
  ]);
});

it('ignores requests of apps that do not exist, and looks each app up once', async () => {
  const { receive, recording, texts, lookups, existing } = setUp();
  await receive(access([line('a', 1), line('x', 1)]));
  await receive(access([line('a', 2)]));
  expect(texts).toHaveLength(2);
  expect(lookups).toEqual([['a', 'x']]);
  recording.forget('a');
  existing.splice(0);
  await receive(access([line('a', 3)]));
  expect(texts).toHaveLength(2);
});

it('confirms counters when they are stored, and tries again until they are', async () => {
  const { receive, clock, stored, added, errors, database } = setUp();
  await receive(counters(1));
  expect([added.length, stored]).toEqual([1, [['run', 1]]]);
  database.isAway = true;
  await receive(counters(2));
  await clock.advance(5_000);
  expect([stored.length, errors.length]).toEqual([1, 2]);
  // The edge sends it again after a reconnect.
  await receive(counters(2));
  database.isAway = false;
  await clock.advance(5_000);
  expect(stored).toEqual([
    ['run', 1],
    ['run', 2],
  ]);
  expect(clock.pending()).toBe(0);
});

it('stops while it waits for the database', async () => {
  const { receive, recording, clock, stored, database } = setUp();
  database.isAway = true;
  await receive(counters(1));
  await recording.stop();
  expect([clock.pending(), stored]).toEqual([0, []]);
});

it('reports requests that could not be stored', async () => {
  const { receive, errors, database, texts } = setUp();
  database.isAway = true;
  await receive(access([line('a', 1)]));
  expect([errors.length, texts]).toEqual([1, []]);
});
