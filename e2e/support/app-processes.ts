import { readdir, readFile } from 'node:fs/promises';

/** Processes of an app, found by the environment variable that the engine sets. */
export async function processesOf(appId: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const isMarked = await Promise.all(pids.map((pid) => hasMarker(pid, appId)));
  return pids.filter((_, at) => isMarked[at]).map(Number);
}

async function hasMarker(pid: string, appId: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(`LONGSHORE_APP_ID=${appId}`);
}
