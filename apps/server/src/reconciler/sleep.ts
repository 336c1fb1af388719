import { chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Hibernates and wakes apps for their visitors' sake. It edits the wish, as a user would, and only of apps whose
 * owner asked for it; what then happens is seen by the reconciler and told as after every other edit.
 */
export type Sleep = {
  /** Not while something is being done: after a failed release, waking would lose the one that serves. */
  hibernate(appId: string): Promise<void>;
  wake(appId: string): Promise<void>;
};

export function createSleep(db: Database): Sleep {
  function setInstances(appId: string, { from, to }: { from: number; to: number }) {
    return db
      .updateTable('public.resources')
      .set({ values: sql<string>`jsonb_set(values, '{instances}', ${String(to)}::jsonb)` })
      .where('id', '=', appId)
      .where('chart_name', '=', chartNameOf('app'))
      .where('deleted', '=', false)
      .where(sql<boolean>`values -> 'instances' = ${String(from)}::jsonb`)
      .where(sql<boolean>`values ? 'sleep'`);
  }

  return {
    async hibernate(appId) {
      await setInstances(appId, { from: 1, to: 0 }).where('status', '=', 'synced').execute();
    },
    async wake(appId) {
      await setInstances(appId, { from: 0, to: 1 }).execute();
    },
  };
}
