import { type AppValues, chartNameOf } from '@longshore/contract';
import type { Database } from '../../db/database.ts';

export type HookedApp = { id: string; ownerId: string; values: AppValues };

export type HookedApps = {
  /** The app of a hook, unless it is deleted. */
  ofHook(hookId: string): Promise<HookedApp | undefined>;
  /** A foreign, an unknown and a deleted app are the same: none. */
  own(ownerId: string, appId: string): Promise<HookedApp | undefined>;
  /** The commit of the newest release, if it serves. */
  deployedCommit(appId: string): Promise<string | undefined>;
};

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function createHookedApps(db: Database): HookedApps {
  const apps = () =>
    db
      .selectFrom('public.resources as app')
      .select(['app.id', 'app.user_id', 'app.values'])
      .where('app.chart_name', '=', chartNameOf('app'))
      .where('app.deleted', '=', false);

  return {
    async ofHook(hookId) {
      if (!UUID.test(hookId)) return undefined;
      const hooked = apps().innerJoin('connect.hooks as hook', 'hook.app_id', 'app.id');
      return toApp(await hooked.where('hook.id', '=', hookId).executeTakeFirst());
    },
    async own(ownerId, appId) {
      if (!UUID.test(appId)) return undefined;
      const own = apps().where('app.id', '=', appId).where('app.user_id', '=', ownerId);
      return toApp(await own.executeTakeFirst());
    },
    async deployedCommit(appId) {
      const newest = await db
        .selectFrom('deploy.releases')
        .select(['revision', 'outcome'])
        .where('app_id', '=', appId)
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst();
      return newest?.outcome === 'live' ? (newest.revision ?? undefined) : undefined;
    },
  };
}

function toApp(
  row: { id: string; user_id: string; values: unknown } | undefined,
): HookedApp | undefined {
  return row && { id: row.id, ownerId: row.user_id, values: row.values as AppValues };
}
