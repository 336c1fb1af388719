import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readProcessStat } from '../processes/process-stat.ts';

export type DataDirLock = { ok: true; release(): Promise<void> } | { ok: false; message: string };

const LOCK_FILE = 'server.lock';
const MAX_ATTEMPTS = 5;

/** Allows one server per data directory. The lock of a process that has exited is stale and is taken over. */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const lock = join(dataDir, LOCK_FILE);
  const claim = join(dataDir, `.${LOCK_FILE}-${randomUUID()}`);
  const holder = await describeProcess(process.pid);
  await writeFile(claim, holder ?? '', { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (await tryLink(claim, lock)) return { ok: true, release: () => release(lock, holder) };
      const other = await readFile(lock, 'utf8').catch(() => undefined);
      if (other !== undefined && (await isHeld(other))) break;
      if (other !== undefined) await discard(lock, other, claim);
    }
  } finally {
    await rm(claim, { force: true });
  }
  return { ok: false, message: `Another Longshore already uses LONGSHORE_DATA_DIR ${dataDir}.` };
}

/** Identifies a process by pid, start time and boot, because pids are reused. */
async function describeProcess(pid: number): Promise<string | undefined> {
  const stat = await readProcessStat(pid);
  if (stat === undefined || stat.state === 'Z') return undefined;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
  return `${pid} ${stat.startTime} ${boot.trim()}`;
}

/** Whether a running server uses the data directory. */
export async function isDataDirLocked(dataDir: string): Promise<boolean> {
  return (await dataDirUser(dataDir)) !== undefined;
}

/** The pid of the running server that uses the data directory. */
export async function dataDirUser(dataDir: string): Promise<number | undefined> {
  const holder = await readFile(join(dataDir, LOCK_FILE), 'utf8').catch(() => undefined);
  if (holder === undefined || !(await isHeld(holder))) return undefined;
  return Number.parseInt(holder, 10);
}

async function isHeld(holder: string): Promise<boolean> {
  return holder === (await describeProcess(Number.parseInt(holder, 10)));
}

/** Removes a stale lock. Puts it back if another server took it over in between. */
async function discard(lock: string, staleHolder: string, claim: string): Promise<void> {
  const aside = `${claim}-stale`;
  await rename(lock, aside).catch(() => {});
  const moved = await readFile(aside, 'utf8').catch(() => staleHolder);
  if (moved !== staleHolder) await tryLink(aside, lock);
  await rm(aside, { force: true });
}

async function release(lock: string, holder: string | undefined): Promise<void> {
  const current = await readFile(lock, 'utf8').catch(() => undefined);
  if (current === holder) await rm(lock, { force: true });
}

async function tryLink(from: string, to: string): Promise<boolean> {
  return await link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}
