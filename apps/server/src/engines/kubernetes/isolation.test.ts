import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulatedClock } from '@longshore/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDiskRecords } from '../disk-records.ts';
import {
  createIsolationCheck,
  createRecordedIsolation,
  type IsolationDeps,
  isolationOf,
} from './isolation.ts';
import { type ProbeResult, probeResult } from './network-probe.ts';

const ENFORCED: ProbeResult = { kind: 'enforced' };
const OPEN: ProbeResult = { kind: 'not-enforced', directions: ['incoming', 'outgoing'] };
const UNKNOWN: ProbeResult = { kind: 'unknown' };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

it.each([
  ['refused', 'refused', ENFORCED],
  ['connected', 'connected', OPEN],
  ['connected', 'refused', { kind: 'not-enforced', directions: ['incoming'] }],
  ['refused', 'connected', { kind: 'not-enforced', directions: ['outgoing'] }],
  ['unknown', 'connected', { kind: 'not-enforced', directions: ['outgoing'] }],
  ['unknown', 'refused', UNKNOWN],
  ['unknown', 'unknown', UNKNOWN],
] as const)('incoming %s and outgoing %s is %o', (incoming, outgoing, expected) => {
  expect(probeResult({ incoming, outgoing })).toEqual(expected);
});

it.each<[ProbeResult | undefined, string]>([
  [undefined, 'is checking'],
  [UNKNOWN, 'could not check'],
  [OPEN, 'does not enforce NetworkPolicies for incoming and outgoing connections'],
])('says of %o what is missing', (result, sentence) => {
  expect(isolationOf(result)).toMatchObject({
    kind: 'not-isolated',
    missing: expect.arrayContaining([expect.stringContaining(sentence)]),
  });
});

let dataDir: string;
const clock = createSimulatedClock();
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'longshore-isolation-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Each probe has the next result; the last one stays. */
function checkWith(results: (ProbeResult | Error)[], changes: Partial<IsolationDeps> = {}) {
  const calls: string[] = [];
  const errors: unknown[] = [];
  const infos: string[] = [];
  const check = createIsolationCheck({
    records: createDiskRecords(dataDir),
    clock,
    readClusterId: async () => 'cluster',
    async updateNamespaces() {
      calls.push('update');
    },
    async probe() {
      calls.push('probe');
      const result = results.length > 1 ? results.shift() : results[0];
      if (result instanceof Error) throw result;
      return result ?? UNKNOWN;
    },
    logInfo: (text) => infos.push(text),
    logError: (error) => errors.push(error),
    ...changes,
  });
  return { ...check, calls, errors, infos };
}

it('updates the projects, then probes once for all callers', async () => {
  const { isolation, calls } = checkWith([ENFORCED]);
  const found = await Promise.all([isolation(), isolation()]);
  expect(found).toEqual([{ kind: 'isolated' }, { kind: 'isolated' }]);
  expect(await isolation()).toEqual({ kind: 'isolated' });
  expect(calls).toEqual(['update', 'probe']);
});

it.each<[ProbeResult, number]>([
  [ENFORCED, 24 * HOUR_MS],
  [OPEN, 10 * MINUTE_MS],
  [UNKNOWN, MINUTE_MS],
])('probes again after %o is old, and answers with it meanwhile', async (first, validMs) => {
  const next = first === ENFORCED ? OPEN : ENFORCED;
  const { isolation, calls } = checkWith([first, next]);
  await isolation();
  await clock.advance(validMs - 1);
  expect(await isolation()).toEqual(isolationOf(first));
  expect(calls).toHaveLength(2);
  await clock.advance(1);
  expect(await isolation()).toEqual(isolationOf(first));
  await expect.poll(isolation).toEqual(isolationOf(next));
  expect(calls).toHaveLength(4);
});

it('answers at once after a restart, and probes in the background', async () => {
  await checkWith([ENFORCED]).isolation();
  const { isolation } = checkWith([OPEN]);
  expect(await isolation()).toEqual({ kind: 'isolated' });
  await expect.poll(isolation).toMatchObject({ kind: 'not-isolated' });
});

it('logs the first result and each other one, once', async () => {
  const { isolation, infos } = checkWith([OPEN, OPEN, ENFORCED]);
  await isolation();
  expect(infos).toEqual([expect.stringContaining('does not enforce NetworkPolicies')]);
  const later = async () => {
    await clock.advance(10 * MINUTE_MS);
    return await isolation();
  };
  await expect.poll(later).toEqual({ kind: 'isolated' });
  expect(infos.slice(1)).toEqual(['This cluster enforces NetworkPolicies.']);
});

it('keeps a result when a later probe finds nothing out', async () => {
  const { isolation, calls } = checkWith([ENFORCED, UNKNOWN]);
  await isolation();
  await clock.advance(24 * HOUR_MS);
  await isolation();
  await expect.poll(() => calls).toHaveLength(4);
  expect(await isolation()).toEqual({ kind: 'isolated' });
});

it('does not keep a result longer than a day after a probe was due', async () => {
  const { isolation } = checkWith([ENFORCED, UNKNOWN]);
  await isolation();
  await clock.advance(24 * HOUR_MS);
  await expect.poll(isolation).toEqual({ kind: 'isolated' });
  await clock.advance(24 * HOUR_MS);
  await expect.poll(isolation).toEqual(isolationOf(UNKNOWN));
});

it('ignores the result of another cluster', async () => {
  await checkWith([ENFORCED]).isolation();
  const { isolation, infos } = checkWith([UNKNOWN], { readClusterId: async () => 'other' });
  expect(await isolation()).toEqual(isolationOf(UNKNOWN));
  expect(infos).toHaveLength(1);
});

it('uses the result of an earlier server once the cluster responds', async () => {
  await checkWith([ENFORCED]).isolation();
  let isDown = true;
  const { isolation } = checkWith([UNKNOWN], {
    readClusterId: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve('cluster')),
  });
  expect(await isolation()).toEqual(isolationOf(UNKNOWN));
  isDown = false;
  await clock.advance(MINUTE_MS);
  await expect.poll(isolation).toEqual({ kind: 'isolated' });
});

it('logs once that probes find nothing out', async () => {
  const { isolation, calls, infos } = checkWith([ENFORCED, UNKNOWN]);
  await isolation();
  await clock.advance(24 * HOUR_MS);
  for (const count of [4, 6, 8]) {
    await isolation();
    await expect.poll(() => calls).toHaveLength(count);
    await expect.poll(() => infos).toHaveLength(2);
    await clock.advance(MINUTE_MS);
  }
  expect(infos).toHaveLength(2);
});

it('is not isolated while projects cannot be updated, whatever the network does', async () => {
  const failure = new Error('the cluster does not respond');
  const { isolation, calls, errors } = checkWith([ENFORCED], {
    updateNamespaces: () => Promise.reject(failure),
  });
  expect(await isolation()).toEqual(isolationOf(UNKNOWN));
  expect(calls).toEqual([]);
  expect(errors).toEqual([failure]);
});

it('lets nobody wait longer than 3 s for the first probe', async () => {
  const { isolation, close } = checkWith([], {
    probe: (signal) =>
      new Promise((_, reject) => {
        // The check may have been closed before the probe begins.
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  });
  const asked = isolation();
  await expect.poll(() => clock.pending()).toBe(1);
  await clock.advance(3_000);
  expect(await asked).toEqual(isolationOf(undefined));
  await close();
});

it('is read from the records by a server without the engine, and again after a while', async () => {
  const records = createDiskRecords(dataDir);
  const errors: unknown[] = [];
  const recorded = createRecordedIsolation({ records, clock, logError: (it) => errors.push(it) });
  expect(await recorded()).toEqual(isolationOf(undefined));
  const { isolation } = checkWith([ENFORCED]);
  await isolation();
  expect(await recorded()).toEqual(isolationOf(undefined));
  await clock.advance(5_000);
  await expect.poll(recorded).toEqual({ kind: 'isolated' });
  await clock.advance(48 * HOUR_MS);
  expect(await recorded()).toEqual(isolationOf(undefined));
  expect(errors).toEqual([]);
});
