import { readdir, readFile } from 'node:fs/promises';

/** Processes that run on behalf of an app, found by the mark the engine gives each one. */
export async function processesOf(appId: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(pids.map((pid) => carriesMark(pid, appId)));
  return pids.filter((_, at) => marked[at]).map(Number);
}

async function carriesMark(pid: string, appId: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(`LONGSHORE_APP_ID=${appId}`);
}
