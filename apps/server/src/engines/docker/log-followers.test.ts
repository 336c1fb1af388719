import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFakeLogSink } from '../../../test/engines/fake-log-sink.ts';
import type { DockerDeps } from './deps.ts';
import { createLogFollowers } from './log-followers.ts';

/** The last request must end within it too, also on a busy machine. */
const FINISH_TIMEOUT_MS = 2_000;
const CONTAINER = { id: 'c1', appId: 'a1', instance: '1' };
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'longshore-followers-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

it('logs the final lines of a container whose log stream Docker does not end', async () => {
  const { logged, errors, requestCount, followers } = prepare('hung', { hangsFirst: true });
  followers.follow(CONTAINER);
  await followers.finish(CONTAINER);
  expect(logged).toEqual(['out', 'bye']);
  expect([requestCount(), errors]).toEqual([2, []]);
  await followers.close();
});

it('logs the final lines once when the stream ended before the exit event', async () => {
  const { logged, errors, requestCount, followers } = prepare('ended', { hangsFirst: false });
  followers.follow(CONTAINER);
  await eventually(() => logged.length === 2);
  await followers.finish(CONTAINER);
  await followers.finish(CONTAINER);
  expect(logged).toEqual(['out', 'bye']);
  expect([requestCount(), errors]).toEqual([3, []]);
  await followers.close();
});

function prepare(folder: string, { hangsFirst }: { hangsFirst: boolean }) {
  const logged: string[] = [];
  const errors: unknown[] = [];
  let requests = 0;
  const docker = {
    async follow(_: string, __: string, { signal }: { signal: AbortSignal }) {
      requests += 1;
      return entries(hangsFirst && requests === 1 ? signal : undefined);
    },
  };
  const logs = createFakeLogSink((line) => void logged.push(line));
  const clock = { now: () => Date.now() };
  const deps = { docker, logs, clock, dataDir: join(dataDir, folder) } as unknown as DockerDeps;
  const followers = createLogFollowers(deps, (error) => errors.push(error), FINISH_TIMEOUT_MS);
  return { logged, errors, requestCount: () => requests, followers };
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
