import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../e2e/support/free-port.ts';
import { isAlive } from './processes.ts';
import type { Scope } from './scope.ts';
import { NODE } from './start-command.ts';
import { waitForTinyApp } from './tiny-app.ts';
import { waitUntil } from './wait-until.ts';
import { now } from './wall-clock.ts';

/** How long the same steps take in a terminal. */
export type ManualDeploy = {
  deploy: { spawnedMs: number; respondedMs: number };
  stopMs: number;
  startMs: number;
};

const runFile = promisify(execFile);
const PAUSE_MS = 2;

export async function deployManually(
  url: string,
  folder: string,
  scope: Scope,
): Promise<ManualDeploy> {
  const port = await freePort();
  const startedAt = now();
  await runFile('git', ['clone', '--quiet', url, folder]);
  const first = await start(folder, port, scope);
  const deploy = { spawnedMs: first.spawnedAt - startedAt, respondedMs: now() - startedAt };

  const stoppedAt = now();
  process.kill(first.pid, 'SIGTERM');
  await waitForExit(first.pid);
  const stopMs = now() - stoppedAt;

  const restartedAt = now();
  const second = await start(folder, port, scope);
  const startMs = now() - restartedAt;
  process.kill(second.pid, 'SIGTERM');
  await waitForExit(second.pid);
  return { deploy, stopMs, startMs };
}

export async function waitForExit(pid: number): Promise<void> {
  await waitUntil(`process ${pid} has exited`, PAUSE_MS, () => (isAlive(pid) ? undefined : true));
}

async function start(folder: string, port: number, scope: Scope) {
  const env = { PORT: String(port) };
  const child = spawn(NODE, [join(folder, 'server.js')], { env, stdio: 'ignore' });
  scope.defer(() => child.kill('SIGKILL'));
  return await waitForTinyApp(port);
}
