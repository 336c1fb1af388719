import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [output]
 * @property {(chunk: string) => void} [onOutput]
 * @property {AbortSignal} [signal]
 */

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program with this terminal or an open file as its output, or passes its output to `onOutput`, and returns its
 * exit code. Rejects when `signal` stops the program. Signals are forwarded to the program; after a forwarded signal, this
 * process exits with the program's exit code.
 * @param {readonly string[]} argv
 * @param {RunOptions} [options]
 * @returns {Promise<number>}
 */
export async function runCommand(argv, { cwd, env = process.env, output, onOutput, signal } = {}) {
  const [program, ...args] = argv;
  const target = output ?? (onOutput ? 'pipe' : 'inherit');
  const child = spawn(program, args, {
    cwd,
    env,
    signal,
    stdio: ['inherit', target, target],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', onOutput);
  }
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
    // Not `exit`: its output may come later. A shell reports an end by signal the same way.
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
