import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestSandbox } from '../../test/sandbox/open-test-sandbox.ts';
import type { SandboxedCommand } from './sandbox.ts';

const { signal } = new AbortController();
const RUNS = 30;
/** As long as a program needs to start, about. */
const MAX_TIMEOUT_MS = 10;

function sleeper(group: string): SandboxedCommand {
  const limits = { memoryBytes: 64 * 1024 ** 2, processes: 64, cpus: 1 };
  const network = { kind: 'none' } as const;
  return {
    argv: ['sleep', '1000'],
    cwd: '/',
    env: {},
    identity: undefined,
    mounts: [],
    network,
    group,
    limits,
  };
}

describe.runIf(process.getuid?.() === 0)('a sandbox', () => {
  let root: string;
  let opened: Awaited<ReturnType<typeof openTestSandbox>>;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'longshore-sandbox-'));
    opened = await openTestSandbox(root);
  });
  afterAll(async () => {
    await opened?.close();
    await rm(root, { recursive: true, force: true });
  });

  it('stops a program at any moment of its start', async () => {
    const { sandbox } = opened;
    const runs = Array.from({ length: RUNS }, async (_, index) => {
      const timeoutMs = (index % MAX_TIMEOUT_MS) + 1;
      return await sandbox.run(sleeper(`sleeper-${index}`), { signal, timeoutMs });
    });
    const ends = await Promise.all(runs);
    expect(ends).toEqual(ends.map(() => ({ kind: 'timed-out' })));
  });
});
