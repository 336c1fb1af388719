import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readProcessStat } from '../processes/process-stat.ts';

export type DataDirLock = { ok: true; release(): Promise<void> } | { ok: false; message: string };

const LOCK = 'server.lock';
const MAX_ATTEMPTS = 5;

/** One server for each home. A lock whose holder ended, however it ended, is void. */
export async function lockDataDir(home: string): Promise<DataDirLock> {
  const lock = join(home, LOCK);
  const claim = join(home, `.${LOCK}-${randomUUID()}`);
  const holder = await describeProcess(process.pid);
  await writeFile(claim, holder ?? '', { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (await linkedTo(claim, lock)) return { ok: true, release: () => release(lock, holder) };
      const other = await readFile(lock, 'utf8').catch(() => undefined);
      if (other !== undefined && (await isHeld(other))) break;
      if (other !== undefined) await discard(lock, other, claim);
    }
  } finally {
    await rm(claim, { force: true });
  }
  return { ok: false, message: `Another Longshore already uses LONGSHORE_DATA_DIR ${home}.` };
}

/** Tells this process from a later one with the same pid, and from one before the machine started anew. */
async function describeProcess(pid: number): Promise<string | undefined> {
  const stat = await readProcessStat(pid);
  if (stat === undefined || stat.state === 'Z') return undefined;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
  return `${pid} ${stat.startTime} ${boot.trim()}`;
}

/** Whether a server uses this home now. */
export async function isHomeServed(home: string): Promise<boolean> {
  const holder = await readFile(join(home, LOCK), 'utf8').catch(() => undefined);
  return holder !== undefined && (await isHeld(holder));
}

async function isHeld(holder: string): Promise<boolean> {
  return holder === (await describeProcess(Number.parseInt(holder, 10)));
}

/** Moves a void lock away, and puts it back should it have become another server's in between. */
async function discard(lock: string, voidHolder: string, claim: string): Promise<void> {
  const aside = `${claim}-void`;
  await rename(lock, aside).catch(() => {});
  const moved = await readFile(aside, 'utf8').catch(() => voidHolder);
  if (moved !== voidHolder) await linkedTo(aside, lock);
  await rm(aside, { force: true });
}

async function release(lock: string, holder: string | undefined): Promise<void> {
  const current = await readFile(lock, 'utf8').catch(() => undefined);
  if (current === holder) await rm(lock, { force: true });
}

async function linkedTo(from: string, to: string): Promise<boolean> {
  return await link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}
