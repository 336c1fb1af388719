import { chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { createApps } from './apps.ts';
import { lockAppsOf, type OwnerQuotas } from './owner-quotas.ts';

/**
 * Hibernates idle apps and wakes them on a request, for apps with the setting `sleep`. It edits `values.instances` as a user
 * would; the reconciler does the rest.
 */
export type Sleep = {
  /** Only while the app is synced: after a failed release, waking would lose the release that serves. */
  hibernate(appId: string): Promise<void>;
  /** `refused`: the quota of the owner does not allow it. */
  wake(appId: string): Promise<WakeResult>;
};

export type WakeResult = 'done' | 'refused';

type InstancesChange = { from: number; to: number };
type SleepDeps = { db: Database; quotas: Pick<OwnerQuotas, 'problemOf'> };

export function createSleep({ db, quotas }: SleepDeps): Sleep {
  function setInstances(tx: Database, appId: string, { from, to }: InstancesChange) {
    return tx
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
      await setInstances(db, appId, { from: 1, to: 0 }).where('status', '=', 'synced').execute();
    },
    async wake(appId) {
      const found = await createApps(db).find(appId);
      if (found === undefined) return 'done';
      return await db.transaction().execute(async (tx) => {
        await lockAppsOf(tx, found.ownerId);
        // Read again: it may have been woken by somebody else, and then counts already.
        const app = await createApps(tx).find(appId);
        if (app === undefined || app.values.instances !== 0) return 'done';
        const { ownerId, values } = app;
        const before = { deleted: false, values };
        const after = { deleted: false, values: { ...values, instances: 1 } };
        const problem = await quotas.problemOf(tx, { appId, ownerId, before, after });
        if (problem !== undefined) return 'refused';
        await setInstances(tx, appId, { from: 0, to: 1 }).execute();
        return 'done';
      });
    },
  };
}
