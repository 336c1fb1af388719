import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFakeLogSink } from '../../../test/engines/fake-log-sink.ts';
import type { DockerDeps } from './deps.ts';
import { createLogFollowers } from './log-followers.ts';

const NEVER = 3_600_000;
/** The last request must end within `finishMs` too, also on a busy machine. */
const TIMING = {
  finishMs: 2_000,
  checkMs: NEVER,
  stream: { idleMs: 20, burstBytes: 1, routineMs: NEVER },
};
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

it('continues a stream that hangs, and leaves one that is quiet', async () => {
  const { logged, errors, requestCount, followers, checkCount } = prepare('stalled', {
    hangsFirst: true,
    checkMs: 10,
    late: 'more',
  });
  followers.follow(CONTAINER);
  await eventually(() => logged.includes('more'));
  expect(logged).toEqual(['out', 'bye', 'more']);
  // Two found that the first stream hangs, one that the second one does not.
  await eventually(() => checkCount() === 3);
  expect([requestCount(), errors]).toEqual([2, []]);
  await followers.close();
});

type Fake = {
  hangsFirst: boolean;
  checkMs?: number;
  /** A line that the first stream does not bring. The second one stays open after it. */
  late?: string;
};

function prepare(folder: string, { hangsFirst, checkMs = NEVER, late }: Fake) {
  const logged: string[] = [];
  const errors: unknown[] = [];
  let requests = 0;
  let checks = 0;
  const docker = {
    async follow(_: string, __: string, { query, signal }: FollowOptions) {
      if (!query.follow) {
        checks += 1;
        return newest(late ?? '');
      }
      requests += 1;
      const isFirst = requests === 1;
      if (late !== undefined && !isFirst) return entries(signal, late);
      return entries(hangsFirst && isFirst ? signal : undefined);
    },
  };
  const logs = createFakeLogSink((line) => void logged.push(line));
  const clock = { now: () => Date.now() };
  const deps = { docker, logs, clock, dataDir: join(dataDir, folder) } as unknown as DockerDeps;
  const followers = createLogFollowers(deps, (error) => errors.push(error), {
    ...TIMING,
    checkMs,
  });
  const counts = { requestCount: () => requests, checkCount: () => checks };
  return { logged, errors, ...counts, followers };
}

type FollowOptions = { query: { follow: boolean }; signal: AbortSignal };

/**
 * Two entries, the second without a newline unless there is a late one; then the end, or nothing until `hangs` is aborted.
 */
async function* entries(hangs: AbortSignal | undefined, late?: string): AsyncGenerator<Buffer> {
  yield frame('2026-01-01T00:00:00.000000001Z out\n');
  yield frame(`2026-01-01T00:00:00.000000002Z bye${late === undefined ? '' : '\n'}`);
  if (late !== undefined) yield* newest(late);
  if (hangs === undefined) return;
  await new Promise<void>((resolve) => hangs.addEventListener('abort', () => resolve()));
  hangs.throwIfAborted();
}

async function* newest(line: string): AsyncGenerator<Buffer> {
  yield frame(`2026-01-01T00:00:00.000000003Z ${line}\n`);
}

function frame(text: string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt8(1, 0);
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
}
