import type { Database } from '../db/database.ts';
import type { DatabaseLock } from './database-lock.ts';

/** Where the leader answers. `term` grows with each leader. */
export type LeaderAddress = { address: string; term: number };

type Lock = Pick<DatabaseLock, 'query'>;

/** No server leads. */
const NOBODY = '';

/** The address of the last leader, unless it has ended its term. It may be gone. */
export async function readLeaderAddress(db: Database): Promise<LeaderAddress | undefined> {
  return await db
    .selectFrom('deploy.leader')
    .select(['address', 'term'])
    .where('address', '!=', NOBODY)
    .executeTakeFirst();
}

/** Other servers forward requests to this address from now on. */
export async function publishLeaderAddress(lock: Lock, address: string): Promise<void> {
  await lock.query(
    `insert into deploy.leader (address) values ($1)
     on conflict (is_single) do update set address = excluded.address, term = leader.term + 1`,
    [address],
  );
}

/** Another pod may get the address later. */
export async function withdrawLeaderAddress(lock: Lock): Promise<void> {
  await lock.query('update deploy.leader set address = $1', [NOBODY]);
}
