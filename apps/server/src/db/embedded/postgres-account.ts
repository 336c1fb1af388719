import { readFile, stat } from 'node:fs/promises';
import type { Identity } from '../../processes/identity.ts';
import { run } from '../../processes/run.ts';
import { PostgresProblem } from './cluster.ts';

const NAME = 'longshore';
const ACCOUNTS = '/etc/passwd';
const TIMEOUT_MS = 10_000;

/** The user that Postgres runs as if the server is root: the owner of the data, or else a dedicated account. */
export async function postgresIdentity(dataFolder: string, signal: AbortSignal): Promise<Identity> {
  const owner = await stat(dataFolder).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await existingAccount()) ?? (await createAccount(signal));
}

/** Postgres looks its user up by name, so that a uid without an account is not enough. */
export function findAccount(accounts: string, name: string): Identity | undefined {
  const fields = accounts
    .split('\n')
    .map((line) => line.split(':'))
    .find(([candidate]) => candidate === name);
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
  return uid > 0 && gid > 0 ? { uid, gid } : undefined;
}

async function existingAccount(): Promise<Identity | undefined> {
  return findAccount(await readFile(ACCOUNTS, 'utf8'), NAME);
}

async function createAccount(signal: AbortSignal): Promise<Identity> {
  const lines: string[] = [];
  await run(
    {
      argv: [
        'useradd',
        '--system',
        '--user-group',
        '--no-create-home',
        '--home-dir=/nonexistent',
        '--shell=/usr/sbin/nologin',
        NAME,
      ],
      cwd: '/',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    },
    { signal, timeoutMs: TIMEOUT_MS, onLine: (line) => void lines.push(line) },
  );
  const identity = await existingAccount();
  if (identity !== undefined) return identity;
  throw new PostgresProblem(
    `Postgres cannot run as root, and creating its account "${NAME}" failed (${lines.at(-1) ?? 'useradd failed'}). Create it, or set DATABASE_URL.`,
  );
}
