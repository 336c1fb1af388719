import type { DependentApp } from '@longshore/contract';
import { createApps } from '../../apps/apps.ts';
import type { Database } from '../../db/database.ts';
import { existingResources, updateResource } from '../../db/resources.ts';

export type Removal = { kind: 'removed' } | { kind: 'in-use'; apps: DependentApp[] };

type RemovalRequest = { ownerId: string; integrationId: string; isForced: boolean };

/** Deletes the resource, and with it its secrets, unless apps still need it. */
export async function removeIntegration(
  db: Database,
  { ownerId, integrationId, isForced }: RemovalRequest,
): Promise<Removal> {
  return await db.transaction().execute(async (tx) => {
    const integration = existingResources(tx, 'credential')
      .select('id')
      .where('id', '=', integrationId)
      .where('user_id', '=', ownerId);
    // Locked, so that no app starts to use it in between.
    if ((await integration.forUpdate().executeTakeFirst()) === undefined) return REMOVED;
    const apps = isForced ? [] : await createApps(tx).usingIntegration(ownerId, integrationId);
    if (apps.length > 0) return { kind: 'in-use', apps };
    await updateResource(tx, integrationId, { deleted: true });
    return REMOVED;
  });
}

const REMOVED: Removal = { kind: 'removed' };
