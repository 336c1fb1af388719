import { type AppInUse, chartNameOf } from '@longshore/contract';
import type { Database } from '../../db/database.ts';
import { appsUsing } from './apps-using.ts';

export type Removal = { kind: 'removed' } | { kind: 'in-use'; apps: AppInUse[] };

type Wish = { ownerId: string; integrationId: string; isForced: boolean };

/** Deletes the resource, and with it its secrets, unless apps still need it. */
export async function removeIntegration(
  db: Database,
  { ownerId, integrationId, isForced }: Wish,
): Promise<Removal> {
  return await db.transaction().execute(async (tx) => {
    const integration = tx
      .selectFrom('public.resources')
      .select('id')
      .where('id', '=', integrationId)
      .where('user_id', '=', ownerId)
      .where('chart_name', '=', chartNameOf('credential'))
      .where('deleted', '=', false);
    // Locked, so that no app starts to use it in between.
    if ((await integration.forUpdate().executeTakeFirst()) === undefined) return REMOVED;
    const apps = isForced ? [] : await appsUsing(tx, { ownerId, integrationId });
    if (apps.length > 0) return { kind: 'in-use', apps };
    await tx
      .updateTable('public.resources')
      .set({ deleted: true })
      .where('id', '=', integrationId)
      .execute();
    return REMOVED;
  });
}

const REMOVED: Removal = { kind: 'removed' };
