import { spawn } from 'node:child_process';
import type { Command } from './command.ts';

/** Streams the standard output of a program. Throws when the program fails; kills it when the consumer stops reading. */
export async function* streamOutput(command: Command, signal: AbortSignal): AsyncGenerator<Buffer> {
  const [program, ...args] = command.argv;
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: command.env,
    ...command.identity,
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  ended.catch(() => {});
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const code = await ended;
    if (code !== 0) throw new Error(`${program} ended with code ${code}`);
  } finally {
    child.kill('SIGKILL');
  }
}
