import { readdir, readFile, readlink } from 'node:fs/promises';

/** The running processes of a Longshore and its database, found by its data directory, without apps and edge. */
export async function processesOn(dataDir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const matches = await Promise.all(pids.map((pid) => usesDataDir(pid, dataDir)));
  return pids.filter((_, at) => matches[at]).map(Number);
}

/** The main process of the database. */
export async function postgresPid(dataDir: string): Promise<number> {
  const text = await readFile(`${dataDir}/postgres/data/postmaster.pid`, 'utf8');
  return Number(text.split('\n')[0]);
}

async function usesDataDir(pid: string, dataDir: string): Promise<boolean> {
  const [command, environment, folder] = await Promise.all([
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
  ]);
  if (environment.includes('LONGSHORE_APP_ID=')) return false;
  if (folder === `${dataDir}/edge`) return false;
  return (
    command.includes(`${dataDir}/`) ||
    folder.startsWith(`${dataDir}/`) ||
    environment.split('\0').includes(`LONGSHORE_DATA_DIR=${dataDir}`)
  );
}
