import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bootId, sightingOf } from '../../processes/process-table.ts';
import { freeOutput } from './free-output.ts';
import { guardOutputs } from './guard-outputs.ts';
import { appLayout } from './layout.ts';

const MEBIBYTE = 1_048_576;

/** An instance on record, with so much output. Its process is this one, or one that is long gone. */
async function instanceWith(bytes: number, { isAlive = true } = {}) {
  const home = await mkdtemp(join(tmpdir(), 'longshore-guard-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const { record, output } = appLayout(home, 'app-1').instance('1');
  await mkdir(dirname(record), { recursive: true });
  const startTime = isAlive ? (sightingOf(process.pid)?.startTime ?? '') : '0';
  const seen = { pid: process.pid, startTime, bootId: bootId() };
  await writeFile(record, JSON.stringify({ id: '1', process: seen }));
  await writeFile(output, Buffer.alloc(bytes, 'x'));
  return { home, output };
}

async function diskBytes(path: string): Promise<number> {
  return (await stat(path)).blocks * 512;
}

it('frees all but the end of an output that is too large, and keeps its length', async () => {
  const { home, output } = await instanceWith(8 * MEBIBYTE);
  expect(await guardOutputs({ home, free: freeOutput, maxBytes: 4 * MEBIBYTE })).toBe(true);
  expect(await diskBytes(output)).toBeLessThan(2 * MEBIBYTE);
  expect((await stat(output)).size).toBe(8 * MEBIBYTE);
});

it('cuts an output that cannot be freed otherwise', async () => {
  const { home, output } = await instanceWith(8 * MEBIBYTE);
  await guardOutputs({ home, free: async () => false, maxBytes: 4 * MEBIBYTE });
  expect((await stat(output)).size).toBe(0);
});

it('leaves alone what is small enough', async () => {
  const { home, output } = await instanceWith(MEBIBYTE);
  await guardOutputs({ home, free: freeOutput, maxBytes: 4 * MEBIBYTE });
  expect(await diskBytes(output)).toBe(MEBIBYTE);
});

it('has nothing to do where nothing runs', async () => {
  const { home, output } = await instanceWith(8 * MEBIBYTE, { isAlive: false });
  expect(await guardOutputs({ home, free: freeOutput, maxBytes: 4 * MEBIBYTE })).toBe(false);
  expect(await diskBytes(output)).toBe(8 * MEBIBYTE);
  expect(await guardOutputs({ home: join(home, 'nowhere'), free: freeOutput })).toBe(false);
});
