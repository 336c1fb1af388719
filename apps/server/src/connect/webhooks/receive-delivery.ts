import type { Context } from 'hono';
import { Problem } from '../../http/problem.ts';
import { WEBHOOK_SECRET } from '../sealed-secrets.ts';
import { decideDelivery } from './decide-delivery.ts';
import { checkSignature, generateHookSecret } from './delivery-signature.ts';
import type { WebhookDeps } from './deps.ts';
import { eventName, parsePush } from './parse-push.ts';

/** Checked for unknown hooks, so that the response time does not reveal whether a hook exists. */
const DUMMY_SECRET = generateHookSecret();

const UNSIGNED = {
  outcome: 'refused',
  reason: 'The signature is missing or does not match the secret',
} as const;

const DISABLED_OWNER = {
  outcome: 'refused',
  reason: 'The account that owns the app is disabled',
} as const;

const REPEATED = {
  outcome: 'refused',
  reason: 'This delivery was already received',
} as const;

/**
 * POST /hooks/{hookId}: a webhook delivery from a provider. Without a valid signature the response is the same as for an
 * unknown path, so that it does not reveal whether the hook exists.
 */
export async function receiveDelivery(context: Context, deps: WebhookDeps): Promise<Response> {
  const { apps, hooks, secrets, deliveries, clock } = deps;
  const body = Buffer.from(await context.req.arrayBuffer());
  const { headers } = context.req.raw;
  const hookAppId = await hooks.appIdOf(context.req.param('hookId') ?? '');
  const app = hookAppId === undefined ? undefined : await apps.find(hookAppId);
  const secret = app && (await secrets.read(app.id, WEBHOOK_SECRET));
  const signature = checkSignature({ headers, body }, secret ?? DUMMY_SECRET, clock.now());
  if (app === undefined || secret === undefined) throw unknownHook();
  const appId = app.id;
  const event = eventName(headers);
  if (signature === undefined) {
    await deliveries.add({ appId, event, push: undefined, ...UNSIGNED });
    throw unknownHook();
  }
  const push = parsePush(event, body);
  const deployedCommit = await apps.deployedCommit(appId);
  const decision = (await deps.isDisabled(app.ownerId))
    ? DISABLED_OWNER
    : decideDelivery({ event, push, ...app, deployedCommit });
  const { deduplicationKey } = signature;
  const added = await deliveries.add({ appId, event, push, deduplicationKey, ...decision });
  if (added !== undefined) return context.json({ ...decision }, 202);
  await deliveries.add({ appId, event, push, ...REPEATED });
  return context.json({ ...REPEATED }, 202);
}

/** The same as the server's response to an unknown path. */
export function unknownHook(): Problem {
  return new Problem(404, 'not-found', 'There is nothing at this path');
}
