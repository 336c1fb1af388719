import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@longshore/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { isAlive } from './process-stat.ts';

const WATCHDOG_MODULE = join(import.meta.dirname, 'exit-watchdog.ts');

/** A server whose watchdog creates a file. It sends the pid of the watchdog, then waits for SIGKILL or a message to exit. */
const SERVER = `
  const { startExitWatchdog } = await import(process.argv[1]);
  const argv = [process.execPath, '-e', 'fs.writeFileSync(process.argv[1], "")', process.argv[2]];
  const { pid } = await startExitWatchdog({ argv, cwd: '/', env: { PATH: process.env.PATH } });
  process.send(pid);
  process.on('message', () => process.disconnect());
`;

async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-watchdog-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const argv = ['--input-type=module', '-e', SERVER, WATCHDOG_MODULE, join(folder, 'command-ran')];
  const server: ChildProcess = spawn(process.execPath, argv, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const [watchdogPid] = (await once(server, 'message')) as [number];
  const hasCommandRun = async () => (await readdir(folder)).includes('command-ran');
  return { server, watchdogPid, hasCommandRun };
}

it('waits while the server runs, and runs the command when the server is killed', async () => {
  const { server, watchdogPid, hasCommandRun } = await startServer();
  expect(await isAlive(watchdogPid)).toBe(true);
  expect(await hasCommandRun()).toBe(false);
  server.kill('SIGKILL');
  await eventually(hasCommandRun, 'the command to run');
  await eventually(async () => !(await isAlive(watchdogPid)), 'the watchdog to exit');
});

it('does not keep the server from exiting', async () => {
  const { server, hasCommandRun } = await startServer();
  const exited = once(server, 'exit');
  server.send('exit');
  expect(await exited).toEqual([0, null]);
  await eventually(hasCommandRun, 'the command to run');
});
