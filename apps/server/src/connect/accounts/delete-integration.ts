import type { DependentApp } from '@longshore/contract';
import type { Context } from 'hono';
import { createApps } from '../../apps/apps.ts';
import type { Database } from '../../db/database.ts';
import { existingResources, updateResource } from '../../db/resources.ts';
import { Problem } from '../../http/problem.ts';
import { auditDetails } from '../audit.ts';
import { requireCaller } from '../caller.ts';
import type { ConnectDeps } from '../deps.ts';

type Removal = { kind: 'removed' } | { kind: 'in-use'; apps: DependentApp[] };
type RemovalRequest = { ownerId: string; integrationId: string; isForced: boolean };

const REMOVED: Removal = { kind: 'removed' };

/** DELETE /integrations/{id}: fails with the apps that use the integration, unless `?force=true` is given. */
export async function deleteIntegration(context: Context, deps: ConnectDeps): Promise<Response> {
  const ownerId = await requireCaller(context, deps.session);
  const integration = await deps.integrations.find(ownerId, context.req.param('id') ?? '');
  if (integration === undefined) throw new Problem(404, 'not-found', 'Integration not found');
  // Disconnecting needs the secrets, which are deleted with the integration.
  const disconnect = await deps.prepareDisconnect(integration);
  const isForced = context.req.query('force') === 'true';
  const removal = await removeIntegration(deps.db, {
    ownerId,
    integrationId: integration.id,
    isForced,
  });
  if (removal.kind === 'in-use') {
    const names = removal.apps.map(({ name }) => name).join(', ');
    throw new Problem(409, 'integration-in-use', `Apps use this integration: ${names}`, {
      details: { apps: removal.apps },
    });
  }
  await deps.audit(context, {
    kind: 'integration-removed',
    userId: ownerId,
    details: auditDetails(integration.values),
  });
  await disconnect();
  return context.body(null, 204);
}

/** Deletes the resource, and with it its secrets, unless apps use it. */
async function removeIntegration(
  db: Database,
  { ownerId, integrationId, isForced }: RemovalRequest,
): Promise<Removal> {
  return await db.transaction().execute(async (tx) => {
    const integration = existingResources(tx, 'credential')
      .select('id')
      .where('id', '=', integrationId)
      .where('user_id', '=', ownerId);
    // Locked, so that no app starts to use it before it is deleted.
    if ((await integration.forUpdate().executeTakeFirst()) === undefined) return REMOVED;
    const apps = isForced ? [] : await createApps(tx).usingIntegration(ownerId, integrationId);
    if (apps.length > 0) return { kind: 'in-use', apps };
    await updateResource(tx, integrationId, { deleted: true });
    return REMOVED;
  });
}
