import { type AppInUse, chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/** The owner's apps that clone or pull with an integration. */
export async function appsUsing(
  db: Database,
  { ownerId, integrationId }: { ownerId: string; integrationId: string },
): Promise<AppInUse[]> {
  return await db
    .selectFrom('public.resources')
    .select([
      'id',
      sql<string>`values ->> 'name'`.as('name'),
      sql<string>`values ->> 'projectId'`.as('projectId'),
    ])
    .where('user_id', '=', ownerId)
    .where('chart_name', '=', chartNameOf('app'))
    .where('deleted', '=', false)
    .where(sql<boolean>`${integrationId} in (
      case when values #> '{source,enabled}' = 'true' then values #>> '{source,secretName}'
      else values #>> '{container,pullSecretName}' end
    )`)
    .orderBy('created_at')
    .execute();
}
