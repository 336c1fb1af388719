import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DockerParts } from './deps.ts';
import { createLogFollowers } from './log-followers.ts';

const CONTAINER = { id: 'c1', appId: 'a1', instance: '1' };
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'longshore-followers-'));
});
afterAll(() => rm(home, { recursive: true }));

it('tells the last words of a container whose log the Engine does not end', async () => {
  const { told, errors, asked, followers } = prepare('hung', { hangsAtFirst: true });
  followers.follow(CONTAINER);
  await followers.finish(CONTAINER);
  expect(told).toEqual(['out', 'bye']);
  expect([asked(), errors]).toEqual([2, []]);
  await followers.close();
});

it('tells them once when the log ended before one heard of it', async () => {
  const { told, errors, asked, followers } = prepare('ended', { hangsAtFirst: false });
  followers.follow(CONTAINER);
  await eventually(() => told.length === 2);
  await followers.finish(CONTAINER);
  await followers.finish(CONTAINER);
  expect(told).toEqual(['out', 'bye']);
  expect([asked(), errors]).toEqual([3, []]);
  await followers.close();
});

function prepare(folder: string, { hangsAtFirst }: { hangsAtFirst: boolean }) {
  const told: string[] = [];
  const errors: unknown[] = [];
  let asked = 0;
  const docker = {
    async follow(_: string, __: string, { signal }: { signal: AbortSignal }) {
      asked += 1;
      return entries(hangsAtFirst && asked === 1 ? signal : undefined);
    },
  };
  const logs = { append: (_: string, __: string, line: string) => void told.push(line) };
  const clock = { now: () => Date.now() };
  const parts = { docker, logs, clock, home: join(home, folder) } as unknown as DockerParts;
  const followers = createLogFollowers(parts, (error) => errors.push(error), 20);
  return { told, errors, asked: () => asked, followers };
}

/** Two entries, the second without a newline; then the end, or nothing until `hangs` is aborted. */
async function* entries(hangs: AbortSignal | undefined): AsyncGenerator<Buffer> {
  yield frame('2026-01-01T00:00:00.000000001Z out\n');
  yield frame('2026-01-01T00:00:00.000000002Z bye');
  if (hangs === undefined) return;
  await new Promise<void>((resolve) => hangs.addEventListener('abort', () => resolve()));
  hangs.throwIfAborted();
}

function frame(text: string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt8(1, 0);
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
}
