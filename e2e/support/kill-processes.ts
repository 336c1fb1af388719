import { readdir, readlink } from 'node:fs/promises';

/** Kills every process whose working directory is below a folder. */
export async function killProcessesIn(folder: string): Promise<void> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (cwd.startsWith(`${folder}/`)) killProcess(Number(pid));
  }
}

/** Kills a process. One that has already exited is ignored. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
