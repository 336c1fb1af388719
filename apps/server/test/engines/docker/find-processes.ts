import { readdir, readFile } from 'node:fs/promises';

/** Pids of the processes that were started with exactly these arguments. */
export async function findProcessesByArgv(...argv: string[]): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, at) => commands[at] === `${argv.join('\0')}\0`).map(Number);
}
