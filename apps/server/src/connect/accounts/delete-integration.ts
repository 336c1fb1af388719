import type { Context } from 'hono';
import { Problem } from '../../http/problem.ts';
import { auditDetails } from '../audit.ts';
import { callerOf } from '../caller.ts';
import type { ConnectDeps } from '../deps.ts';
import { removeIntegration } from './remove-integration.ts';

/** DELETE /integrations/{id}. Apps that use it are named first; `?force=true` deletes it all the same. Spec §7. */
export async function deleteIntegration(context: Context, deps: ConnectDeps): Promise<Response> {
  const ownerId = await callerOf(context, deps.session);
  const integration = await deps.integrations.find(ownerId, context.req.param('id') ?? '');
  if (integration === undefined) throw new Problem(404, 'not-found', 'Integration not found');
  // What is to be given back at the provider takes the secrets, which are gone afterwards.
  const farewell = await deps.prepareFarewell(integration);
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
  await farewell();
  return context.body(null, 204);
}
