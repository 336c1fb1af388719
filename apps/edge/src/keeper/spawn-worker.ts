import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { KeeperToWorker, WorkerToKeeper } from '../worker/worker-messages.ts';
import type { WorkerChannel } from './workers.ts';

/** Young objects of requests die soon: a small young generation costs little. A worker collects garbage after a load. */
const WORKER_FLAGS = ['--max-semi-space-size=4', '--expose-gc'];
const MAX_OUTPUT = 4_096;

/** `descriptors`: the numbers of the listening sockets in this process. */
export function spawnWorker(folder: string, descriptors: number[]): WorkerChannel {
  const program = join(dirname(import.meta.filename), 'worker.mjs');
  // By the path of the folder other installations recognize whose process this is.
  const child = spawn(process.execPath, [...WORKER_FLAGS, program, folder], {
    env: { UV_THREADPOOL_SIZE: '2' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...descriptors],
  });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT);
  });
  let exitListener = (_reason: string) => {};
  let hasExited = false;

  function exited(reason: string): void {
    if (hasExited) return;
    hasExited = true;
    exitListener(reason);
  }

  child.on('error', (error) => {
    if (child.pid === undefined) exited(error.message);
  });
  // After its output has been read.
  child.on('close', (code, signal) => exited(`${signal ?? `exit code ${code}`}\n${output}`.trim()));
  return {
    send(message: KeeperToWorker) {
      if (child.connected) child.send(message, () => {});
    },
    kill: () => void child.kill('SIGKILL'),
    onMessage: (listener) =>
      void child.on('message', (message) => listener(message as WorkerToKeeper)),
    onExit(listener) {
      exitListener = listener;
    },
  };
}
