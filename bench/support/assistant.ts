import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Scope } from './scope.ts';
import { NODE, ROOT } from './start-command.ts';

/** A program of ours in a process of its own, which answers one question at a time. */
export type Assistant<Question, Answer> = {
  pid: number;
  ask(question: Question): Promise<Answer>;
};

const PROGRAMS = join(ROOT, 'bench/programs');

/** Starts a program of `bench/programs` with what it works on; it ends with the scope. */
export async function startAssistant<Question extends object, Answer>(
  program: string,
  setUp: object,
  scope: Scope,
): Promise<Assistant<Question, Answer>> {
  const child = spawn(NODE, [join(PROGRAMS, program), JSON.stringify(setUp)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  scope.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await answerOf(child, program);
  return {
    pid: child.pid ?? 0,
    async ask(question) {
      child.send(question);
      return (await answerOf(child, program)) as Answer;
    },
  };
}

async function answerOf(child: ChildProcess, program: string): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([answer]) => answer as unknown),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`${program} ended with exit code ${code}`);
      }),
    ]);
  } finally {
    settled.abort();
  }
}
