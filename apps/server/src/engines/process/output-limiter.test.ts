import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findProcess, readBootId } from '../../processes/process-table.ts';
import { freeOutput } from './free-output.ts';
import { appLayout } from './layout.ts';
import { limitOutputs } from './output-limiter.ts';

const MEBIBYTE = 1_048_576;

/** The record and output of an instance. Its process is this one, or one that has exited. */
async function createInstance(bytes: number, { isAlive = true } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'longshore-outputs-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { record, output } = appLayout(dataDir, 'app-1').instance('1');
  await mkdir(dirname(record), { recursive: true });
  const startTime = isAlive ? (findProcess(process.pid)?.startTime ?? '') : '0';
  const recordedProcess = { pid: process.pid, startTime, bootId: readBootId() };
  await writeFile(record, JSON.stringify({ id: '1', process: recordedProcess }));
  await writeFile(output, Buffer.alloc(bytes, 'x'));
  return { dataDir, output };
}

async function diskBytes(path: string): Promise<number> {
  return (await stat(path)).blocks * 512;
}

it('frees all but the end of an output that is too large, and keeps its length', async () => {
  const { dataDir, output } = await createInstance(8 * MEBIBYTE);
  expect(await limitOutputs({ dataDir, free: freeOutput, maxBytes: 4 * MEBIBYTE })).toBe(true);
  expect(await diskBytes(output)).toBeLessThan(2 * MEBIBYTE);
  expect((await stat(output)).size).toBe(8 * MEBIBYTE);
});

it('truncates an output when the file system cannot free a part of it', async () => {
  const { dataDir, output } = await createInstance(8 * MEBIBYTE);
  await limitOutputs({ dataDir, free: async () => false, maxBytes: 4 * MEBIBYTE });
  expect((await stat(output)).size).toBe(0);
});

it('does not change an output below the limit', async () => {
  const { dataDir, output } = await createInstance(MEBIBYTE);
  await limitOutputs({ dataDir, free: freeOutput, maxBytes: 4 * MEBIBYTE });
  expect(await diskBytes(output)).toBe(MEBIBYTE);
});

it('does nothing when no instance runs', async () => {
  const { dataDir, output } = await createInstance(8 * MEBIBYTE, { isAlive: false });
  expect(await limitOutputs({ dataDir, free: freeOutput, maxBytes: 4 * MEBIBYTE })).toBe(false);
  expect(await diskBytes(output)).toBe(8 * MEBIBYTE);
  expect(await limitOutputs({ dataDir: join(dataDir, 'nowhere'), free: freeOutput })).toBe(false);
});
