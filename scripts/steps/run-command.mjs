import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in this terminal, or with an open file for what it prints, and answers its exit code. A signal that
 * reaches only us is passed on; once the program has ended we end too, as it did.
 */
export async function runCommand(argv, { cwd, env = process.env, output = 'inherit' } = {}) {
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd, env, stdio: ['inherit', output, output] });
  let isAskedToEnd = false;
  const forward = (signal) => {
    isAskedToEnd = true;
    child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    const code = await exitCodeOf(child);
    if (isAskedToEnd) process.exit(code);
    return code;
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}

async function exitCodeOf(child) {
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    // As a shell tells the end by a signal.
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
