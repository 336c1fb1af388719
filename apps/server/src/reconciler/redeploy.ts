import { chartNameOf, type ReleaseCause } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Wishes an app made anew of the same values, because what they name has changed. Takes a transaction too. */
export async function redeploy(db: Database, appId: string, cause: ReleaseCause): Promise<void> {
  await db
    .updateTable('public.resources')
    .set({ redeploys: sql<string>`redeploys + 1`, cause: JSON.stringify(cause) })
    .where('id', '=', appId)
    .where('chart_name', '=', chartNameOf('app'))
    .where('deleted', '=', false)
    .execute();
}
