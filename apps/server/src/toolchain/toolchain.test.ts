import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../processes/run.ts';
import { createToolchain } from './toolchain.ts';

const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'longshore-toolchain-'));
  await chmod(dataDir, 0o711);
});
afterEach(async () => await rm(dataDir, { recursive: true, force: true }));

it.each(['node', 'npm', 'npx'])('provides a %s that other users can run', async (program) => {
  const nodeVersion = process.version;
  const toolchain = await createToolchain({
    dataDir,
    isRoot,
    nodePath: process.execPath,
    nodeVersion,
  });
  const lines: string[] = [];
  const end = await run(
    {
      argv: [program, '--version'],
      cwd: '/',
      env: { PATH: toolchain.binDir, HOME: '/nonexistent' },
      identity: isRoot ? NOBODY : undefined,
    },
    {
      signal: AbortSignal.timeout(20_000),
      timeoutMs: 20_000,
      onLine: (line) => void lines.push(line),
    },
  );
  expect({ end, lines }).toEqual({
    end: { kind: 'exited', code: 0 },
    lines: expect.arrayContaining([expect.stringMatching(/^v?\d+\.\d+\.\d+$/)]),
  });
  expect(await realpath(join(toolchain.binDir, 'node'))).toBe(await realpath(toolchain.nodePath));
});
