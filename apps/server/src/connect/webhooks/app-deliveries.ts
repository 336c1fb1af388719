import type { Context } from 'hono';
import { Problem } from '../../http/problem.ts';
import { decideDelivery } from './decide-delivery.ts';
import type { WebhookDeps } from './deps.ts';
import { requireOwnApp } from './require-own-app.ts';

/** GET /apps/{appId}/deliveries: recent deliveries and their outcomes. */
export async function listDeliveries(context: Context, deps: WebhookDeps): Promise<Response> {
  const app = await requireOwnApp(context, deps);
  return context.json({ deliveries: await deps.deliveries.list(app.id) });
}

/**
 * POST /apps/{appId}/deliveries/{id}/replay: decides a stored delivery again with the app's current values. Unlike a new
 * delivery, it redeploys a commit that is already deployed.
 */
export async function replayDelivery(context: Context, deps: WebhookDeps): Promise<Response> {
  const { id: appId, values, pin } = await requireOwnApp(context, deps);
  const stored = await deps.deliveries.find(appId, context.req.param('id') ?? '');
  if (stored === undefined) throw new Problem(404, 'not-found', 'Delivery not found');
  const { event, push } = stored;
  if (push === undefined) {
    throw new Problem(400, 'nothing-to-replay', 'This delivery contains no push');
  }
  const decision = decideDelivery({ event, push, values, pin, deployedCommit: undefined });
  const delivery = await deps.deliveries.add({ appId, event, push, isReplay: true, ...decision });
  return context.json(delivery);
}
