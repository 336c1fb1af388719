import { chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from './db/database.ts';

/** Whose things are whose, for services that hold no rows themselves. */
export type Owners = {
  /** A foreign, an unknown and a deleted app are the same: none. */
  ownsApp(userId: string, projectId: string, appId: string): Promise<boolean>;
  isFirst(userId: string): Promise<boolean>;
};

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function createOwners(db: Database): Owners {
  return {
    async ownsApp(userId, projectId, appId) {
      if (!UUID.test(appId) || !UUID.test(projectId)) return false;
      const app = await db
        .selectFrom('public.resources')
        .select('id')
        .where('id', '=', appId)
        .where('user_id', '=', userId)
        .where('chart_name', '=', chartNameOf('app'))
        .where('deleted', '=', false)
        .where(sql`values ->> 'projectId'`, '=', projectId)
        .executeTakeFirst();
      return app !== undefined;
    },
    async isFirst(userId) {
      const first = await db
        .selectFrom('auth.users')
        .select('id')
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      return first?.id === userId;
    },
  };
}
