import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDatabaseHarness } from '../../test/reconciler/database-harness.ts';
import type { UsageMinute } from './usage-minutes.ts';
import { createUsageRows, type UsageRows } from './usage-rows.ts';

const NOW = Date.parse('2026-01-31T12:05:00Z');
const MINUTE = NOW / 60_000;
const DAY = 1_440;

let harness: Awaited<ReturnType<typeof createDatabaseHarness>>;
let usage: UsageRows;
let now: number;
let appId: string;
beforeAll(async () => {
  harness = await createDatabaseHarness();
  usage = createUsageRows(harness.db, { now: () => now });
});
afterAll(() => harness.clear());
beforeEach(async () => {
  now = NOW;
  appId = await harness.addApp();
});

function used(minute: number, change: Partial<UsageMinute> = {}): UsageMinute {
  return {
    appId,
    instanceId: '1',
    minute,
    coveredMs: 60_000,
    cpuSeconds: 1.5,
    memoryBytes: 100,
    receivedBytes: 10.4,
    sentBytes: undefined,
    diskBytes: 7,
    ...change,
  };
}

const rows = (step: number, id = appId) =>
  harness.query(
    `select extract(epoch from at)::int / 60 - ${MINUTE} as minute, instance, covered_ms, cpu_ms, memory_bytes::int,
       received_bytes::int, sent_bytes::int, disk_bytes::int
     from deploy.usage where app_id = '${id}' and step = ${step} order by at, instance`,
  );

const ROW = {
  minute: 0,
  instance: '1',
  covered_ms: 60_000,
  cpu_ms: 1_500,
  memory_bytes: 100,
  received_bytes: 10,
  sent_bytes: null,
  disk_bytes: 7,
};

it('are stored per minute and per quarter of an hour', async () => {
  await usage.add([used(MINUTE), used(MINUTE + 1, { memoryBytes: 300, diskBytes: undefined })]);
  expect(await rows(1)).toEqual([ROW, { ...ROW, minute: 1, memory_bytes: 300, disk_bytes: null }]);
  const sums = { covered_ms: 120_000, cpu_ms: 3_000, received_bytes: 21, memory_bytes: 300 };
  expect(await rows(15)).toEqual([{ ...ROW, minute: -5, ...sums }]);
});

it('are added to those of the same time and instance', async () => {
  await usage.add([used(MINUTE, { coveredMs: 20_000 })]);
  const second = { coveredMs: 30_000, memoryBytes: 50, sentBytes: 4, diskBytes: undefined };
  await usage.add([used(MINUTE, second), used(MINUTE, { instanceId: '2' })]);
  const sums = { covered_ms: 50_000, cpu_ms: 3_000, received_bytes: 20, sent_bytes: 4 };
  expect(await rows(1)).toEqual([
    { ...ROW, ...sums },
    { ...ROW, instance: '2' },
  ]);
});

it('ignore deleted apps and other resources', async () => {
  const project = await harness.addApp('project');
  const deleted = await harness.addApp();
  await harness.deleteApp(deleted);
  await usage.add([used(MINUTE), ...[project, deleted].map((id) => used(MINUTE, { appId: id }))]);
  expect(await rows(1)).toHaveLength(1);
  expect(await rows(1, project)).toEqual([]);
  expect(await rows(1, deleted)).toEqual([]);
});

it('are removed with their app, and after seven days', async () => {
  const other = await harness.addApp();
  await usage.add([used(MINUTE), used(MINUTE - DAY), used(MINUTE, { appId: other })]);
  now = NOW + 6.5 * DAY * 60_000;
  await usage.removeOld();
  expect(await rows(1)).toMatchObject([{ minute: 0 }]);
  await usage.remove(appId);
  expect(await rows(1)).toEqual([]);
  expect(await rows(15)).toEqual([]);
  expect(await rows(1, other)).toHaveLength(1);
});

it('notify the owner once', async () => {
  await harness.changedRows();
  await usage.add([used(MINUTE), used(MINUTE, { instanceId: '2' })]);
  const inserted = { table: 'usage', userId: harness.ownerId };
  expect((await harness.changedRows()).filter(({ table }) => table === 'usage')).toEqual([
    inserted,
  ]);
  await usage.add([used(MINUTE)]);
  expect((await harness.changedRows()).filter(({ table }) => table === 'usage')).toEqual([
    inserted,
  ]);
});
