import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program with this terminal or an open file as its output, and returns its exit code. Signals are forwarded to
 * the program; after a forwarded signal, this process exits with the program's exit code.
 */
export async function runCommand(argv, { cwd, env = process.env, output = 'inherit' } = {}) {
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd, env, stdio: ['inherit', output, output] });
  let isInterrupted = false;
  const forward = (signal) => {
    isInterrupted = true;
    child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    const code = await exitCodeOf(child);
    if (isInterrupted) process.exit(code);
    return code;
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}

async function exitCodeOf(child) {
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    // A shell reports an end by signal the same way.
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
