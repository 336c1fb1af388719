import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Scope } from './scope.ts';
import { NODE, ROOT } from './start-command.ts';

/** A program in a separate process that handles one request at a time. */
export type ChildProgram<Request, Result> = {
  pid: number;
  request(request: Request): Promise<Result>;
};

const PROGRAMS = join(ROOT, 'bench/programs');

/** Starts a program of `bench/programs` with its configuration. It is killed at the end of the scope. */
export async function startChildProgram<Request extends object, Result>(
  program: string,
  setUp: object,
  scope: Scope,
): Promise<ChildProgram<Request, Result>> {
  const child = spawn(NODE, [join(PROGRAMS, program), JSON.stringify(setUp)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  scope.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await nextMessage(child, program);
  return {
    pid: child.pid ?? 0,
    async request(request) {
      child.send(request);
      return (await nextMessage(child, program)) as Result;
    },
  };
}

async function nextMessage(child: ChildProcess, program: string): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as unknown),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`${program} exited with code ${code}`);
      }),
    ]);
  } finally {
    settled.abort();
  }
}
