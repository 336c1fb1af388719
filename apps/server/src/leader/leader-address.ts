import type { Database } from '../db/database.ts';

/** Where the leader answers. `term` grows with each leader. */
export type LeaderAddress = { address: string; term: number };

/** The address of the last leader, which may have stopped since. */
export async function readLeaderAddress(db: Database): Promise<LeaderAddress | undefined> {
  return await db.selectFrom('deploy.leader').select(['address', 'term']).executeTakeFirst();
}

/** Other servers forward requests to this address from now on. */
export async function publishLeaderAddress(db: Database, address: string): Promise<void> {
  await db
    .insertInto('deploy.leader')
    .values({ address })
    .onConflict((conflict) =>
      conflict.column('is_single').doUpdateSet((update) => ({
        address,
        term: update('deploy.leader.term', '+', 1),
      })),
    )
    .execute();
}
