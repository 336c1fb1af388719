import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stopProcessGroup } from './process-group.ts';
import { isAlive } from './process-stat.ts';
import { spawnDetached } from './spawn-detached.ts';

it('kills a group that ignores SIGTERM', async () => {
  const {
    pid,
    lines,
    exited: ended,
  } = await start(
    process.execPath,
    '-e',
    'process.on("SIGTERM", () => {}); console.log("ready"); setInterval(() => {}, 1000)',
  );
  await expect.poll(lines).toContain('ready');
  expect(await stopProcessGroup(pid, { graceMs: 100 })).toBe(true);
  expect(await ended).toEqual({ code: undefined, signal: 'SIGKILL' });
});

it('treats a group with only an unreaped zombie as gone', async () => {
  const script = '$| = 1; $pid = fork; if (!$pid) { setpgrp(0, 0); exit } print $pid; sleep 60';
  const { pid, lines } = await start('perl', '-e', script);
  await expect.poll(lines).toMatch(/^\d+$/);
  const zombie = Number(await lines());
  await expect.poll(() => isAlive(zombie)).toBe(false);
  expect(await stopProcessGroup(zombie, { graceMs: 10_000 })).toBe(true);
  await stopProcessGroup(pid);
});

it('returns true for a group that does not exist', async () => {
  const { pid, exited: ended } = await start('true');
  await ended;
  expect(await stopProcessGroup(pid)).toBe(true);
});

async function start(...argv: [string, ...string[]]) {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-group-'));
  const output = await open(join(folder, 'output'), 'w+');
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const started = await spawnDetached({ argv, cwd: '/', env }, output.fd);
  await output.close();
  void started.exited.then(() => rm(folder, { recursive: true, force: true }));
  return { ...started, lines: async () => await readFile(join(folder, 'output'), 'utf8') };
}
