import type pg from 'pg';
import { StartProblem } from '../lifecycle/start-problem.ts';

/** Servers on one database hold the lock together. A command that must run alone holds it exclusively. */
export type ServersLock = 'shared' | 'exclusive';

/** An arbitrary number that no other program of this database uses. */
const LOCK_KEY = 5_317_439;

const TRY: Record<ServersLock, string> = {
  shared: 'pg_try_advisory_lock_shared',
  exclusive: 'pg_try_advisory_lock',
};

const PROBLEM: Record<ServersLock, string> = {
  shared: 'The encryption key is being rotated. Start the server again after that.',
  exclusive: 'Servers are running on this database. Stop all of them first.',
};

/** The connection holds the lock until it ends. */
export function takeServersLock(lock: ServersLock): (client: pg.Client) => Promise<void> {
  return async (client) => {
    const { rows } = await client.query(`select ${TRY[lock]}($1) as taken`, [LOCK_KEY]);
    if (rows[0]?.taken !== true) throw new StartProblem(PROBLEM[lock]);
  };
}
