import { fork } from 'node:child_process';
import { once } from 'node:events';
import { spawnTurn } from './spawn-turn.ts';

type ProgramOptions = {
  maxMemoryMb: number;
  /** Before it gets its job. */
  prepare(pid: number): Promise<void>;
  signal: AbortSignal;
};

/**
 * Runs a program of the server itself in a process of its own. It gets a job as its only message and answers with one. It has no
 * environment, and so no secrets of the server. Aborting kills it. It has to end itself when the server does: on `disconnect`.
 */
export async function runProgram<Job, Result>(
  program: URL,
  job: Job,
  { maxMemoryMb, prepare, signal }: ProgramOptions,
): Promise<Result> {
  await spawnTurn();
  signal.throwIfAborted();
  const child = fork(program, {
    serialization: 'advanced',
    env: {},
    execArgv: [`--max-old-space-size=${maxMemoryMb}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  // Reported by the code that waits for it.
  exited.catch(() => {});
  try {
    if (child.pid !== undefined) await prepare(child.pid);
    // A process that has ended is reported by its exit.
    child.send(job as object, () => {});
    const [result] = await Promise.race([
      once(child, 'message', { signal }) as Promise<[Result]>,
      exited.then(([code, killedBy]) => {
        throw new Error(`The program ended without an answer: ${killedBy ?? code}`);
      }),
    ]);
    return result;
  } finally {
    child.kill('SIGKILL');
    await exited.catch(() => {});
  }
}
