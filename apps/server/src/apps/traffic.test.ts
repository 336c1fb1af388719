import { randomUUID } from 'node:crypto';
import type { AppCounters } from '@longshore/edge-contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabaseHarness } from '../../test/reconciler/database-harness.ts';
import { createTraffic, type Traffic } from './traffic.ts';

const NOW = Date.parse('2026-01-31T12:00:00Z');
const MINUTE = NOW / 60_000;
const DAY = 1_440;

let harness: Awaited<ReturnType<typeof createDatabaseHarness>>;
let traffic: Traffic;
let now: number;
let appId: string;
beforeAll(async () => {
  harness = await createDatabaseHarness();
  traffic = createTraffic(harness.db, { now: () => now });
});
afterAll(() => harness.clear());
beforeEach(async () => {
  now = NOW;
  appId = await harness.addApp();
});

function counted(minute: number, change: Partial<AppCounters> = {}): AppCounters {
  return {
    appId,
    minute,
    statuses: [0, 5, 1, 2, 1],
    latencies: [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 3],
    bytesIn: 10,
    bytesOut: 1_000,
    ...change,
  };
}

const add = (...counters: AppCounters[]) => traffic.add({ run: randomUUID(), batch: 1, counters });

const sum = (from: number, to: number, id = appId) =>
  traffic.sum(id, { from: new Date(from * 60_000), to: new Date(to * 60_000) });

const requests = async (from = MINUTE - 10 * DAY, to = MINUTE + DAY) =>
  (await sum(from, to)).statuses.reduce((one, other) => one + other);

describe('counters', () => {
  it('are added to those of the same minute', async () => {
    await add(counted(MINUTE));
    await add(counted(MINUTE, { statuses: [1, 0, 0, 0, 0], latencies: [1], bytesOut: 2 ** 50 }));
    expect(await sum(MINUTE, MINUTE + 1)).toEqual({
      statuses: [1, 5, 1, 2, 1],
      latencies: [2, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 3],
      bytesIn: 20,
      bytesOut: 2 ** 50 + 1_000,
    });
  });

  it.each([
    [0, 1, 9],
    [0, 2, 18],
    [0, 3, 27],
    [1, 3, 18],
    [-5, 0, 0],
    [3, 9, 0],
  ])('of minutes %i to %i are summed', async (from, to, expected) => {
    await add(counted(MINUTE), counted(MINUTE + 1), counted(MINUTE + 2));
    expect(await requests(MINUTE + from, MINUTE + to)).toBe(expected);
  });

  it('belong to one app', async () => {
    const other = await harness.addApp();
    await add(counted(MINUTE), counted(MINUTE, { appId: other, bytesIn: 7 }));
    expect((await sum(MINUTE, MINUTE + 1)).bytesIn).toBe(10);
    expect((await sum(MINUTE, MINUTE + 1, other)).bytesIn).toBe(7);
  });

  it('are zero for an app without requests', async () => {
    const { statuses, latencies, bytesIn, bytesOut } = await sum(MINUTE, MINUTE + 1);
    expect([statuses.length, latencies.length, bytesIn, bytesOut]).toEqual([5, 12, 0, 0]);
  });
});

it('are also summed per quarter of an hour', async () => {
  await add(counted(MINUTE - 1), counted(MINUTE), counted(MINUTE + 14), counted(MINUTE + 15));
  await add(counted(MINUTE + 7));
  const rows = await harness.query(
    `select step, extract(epoch from at)::int / 60 - ${MINUTE} as minute, statuses, latencies, bytes_out::int as bytes
     from deploy.traffic where app_id = '${appId}' and step = 15 order by at`,
  );
  const quarter = (minute: number, count: number) => ({
    step: 15,
    minute,
    statuses: [0, 5, 1, 2, 1].map((each) => each * count),
    latencies: [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 3].map((each) => each * count),
    bytes: 1_000 * count,
  });
  expect(rows).toEqual([quarter(-15, 1), quarter(0, 3), quarter(15, 1)]);
});

describe('a batch', () => {
  it('counts once, however often it is sent', async () => {
    const run = randomUUID();
    const send = (batch: number) => traffic.add({ run, batch, counters: [counted(MINUTE)] });
    await Promise.all([send(1), send(1), send(1)]);
    expect(await requests()).toBe(9);
    await send(2);
    await send(2);
    await send(1);
    expect(await requests()).toBe(18);
    await add(counted(MINUTE));
    expect(await requests()).toBe(27);
  });

  it('that could not be stored is not marked as stored', async () => {
    const run = randomUUID();
    const broken = counted(MINUTE, { bytesIn: 1.5 });
    await expect(traffic.add({ run, batch: 1, counters: [broken] })).rejects.toThrow();
    await traffic.add({ run, batch: 1, counters: [counted(MINUTE)] });
    expect(await requests()).toBe(9);
  });

  it('is stored without what it should not contain', async () => {
    const project = await harness.addApp('project');
    const deleted = await harness.addApp();
    await harness.deleteApp(deleted);
    await add(
      ...['console', '', "' or 1=1", randomUUID(), project, deleted].map((id) =>
        counted(MINUTE, { appId: id }),
      ),
      counted(MINUTE - 8 * DAY),
      counted(MINUTE + 2 * DAY),
      counted(2 ** 52),
      counted(MINUTE),
      counted(MINUTE),
    );
    expect(await requests()).toBe(9);
    const rows = await harness.query(
      `select from deploy.traffic_minutes where app_id in ('${project}', '${deleted}')`,
    );
    expect(rows).toEqual([]);
  });
});

it('keeps seven days', async () => {
  const run = randomUUID();
  await traffic.add({ run, batch: 1, counters: [counted(MINUTE), counted(MINUTE - DAY)] });
  now = NOW + 6.5 * DAY * 60_000;
  await traffic.removeOld();
  expect(await requests()).toBe(9);
  const runs = () => harness.query(`select from deploy.traffic_runs where run = '${run}'`);
  expect(await runs()).toHaveLength(1);
  now = NOW + 7.5 * DAY * 60_000;
  await traffic.removeOld();
  expect(await requests()).toBe(0);
  expect(await runs()).toEqual([]);
});

it('forgets an app', async () => {
  const other = await harness.addApp();
  await add(counted(MINUTE), counted(MINUTE, { appId: other }));
  await traffic.remove(appId);
  expect(await requests()).toBe(0);
  expect((await sum(MINUTE, MINUTE + 1, other)).bytesIn).toBe(10);
});
