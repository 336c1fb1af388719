import { readdir, readlink } from 'node:fs/promises';
import { endProcess } from './end-process.ts';

/** Ends whatever works below a folder. */
export async function endProcessesIn(folder: string): Promise<void> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (place.startsWith(`${folder}/`)) endProcess(Number(pid));
  }
}
