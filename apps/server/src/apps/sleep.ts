import { chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Hibernates idle apps and wakes them on a request, for apps with the setting `sleep`. It edits `values.instances` as a user
 * would; the reconciler does the rest.
 */
export type Sleep = {
  /** Only while the app is synced: after a failed release, waking would lose the release that serves. */
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
