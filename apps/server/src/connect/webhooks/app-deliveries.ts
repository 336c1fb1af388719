import type { Context } from 'hono';
import { Problem } from '../../http/problem.ts';
import type { WebhookDeps } from './deps.ts';
import { judgePush } from './judge-push.ts';
import { ownApp } from './own-app.ts';

/** GET /apps/{appId}/deliveries: what came in lately, and what became of it. */
export async function listDeliveries(context: Context, deps: WebhookDeps): Promise<Response> {
  const app = await ownApp(context, deps);
  return context.json({ deliveries: await deps.deliveries.list(app.id) });
}

/**
 * POST /apps/{appId}/deliveries/{id}/replay: has a delivery judged again by the values of today. What is deployed already is
 * deployed again: its owner wants it so.
 */
export async function replayDelivery(context: Context, deps: WebhookDeps): Promise<Response> {
  const { id: appId, values } = await ownApp(context, deps);
  const found = await deps.deliveries.find(appId, context.req.param('id') ?? '');
  if (found === undefined) throw new Problem(404, 'not-found', 'Delivery not found');
  if (found.push === undefined) {
    throw new Problem(400, 'nothing-to-replay', 'This delivery holds no push');
  }
  const verdict = judgePush({ ...found, values, deployedCommit: undefined });
  const delivery = await deps.deliveries.add({ ...found, ...verdict, appId, isReplay: true });
  return context.json(delivery);
}
