import type { Context } from 'hono';
import { Problem } from '../../http/problem.ts';
import { checkSignature, makeHookSecret } from './delivery-signature.ts';
import { HOOK_SECRET, type WebhookDeps } from './deps.ts';
import { judgePush } from './judge-push.ts';
import { eventOf, pushOf } from './push-of.ts';

/** Checked in place of the one that is not there, so that both take their time. */
const NOBODYS = makeHookSecret();

/**
 * POST /hooks/{hookId}: what a provider tells. Whoever cannot sign with the secret of the hook learns nothing, not even
 * whether there is one.
 */
export async function receiveDelivery(context: Context, deps: WebhookDeps): Promise<Response> {
  const { apps, hooks, secrets, deliveries, clock } = deps;
  const body = Buffer.from(await context.req.arrayBuffer());
  const { headers } = context.req.raw;
  const appId = await hooks.appIdOf(context.req.param('hookId') ?? '');
  const app = appId === undefined ? undefined : await apps.find(appId);
  const secret = app && (await secrets.read(app.id, HOOK_SECRET));
  const proof = checkSignature({ headers, body }, secret ?? NOBODYS, clock.now());
  if (app === undefined || secret === undefined) throw unknownHook();
  const event = eventOf(headers);
  const about = { appId: app.id, event };
  if (proof === undefined) {
    await deliveries.add({ ...about, push: undefined, ...UNSIGNED });
    throw unknownHook();
  }
  const push = pushOf(event, body);
  const deployedCommit = await apps.deployedCommit(app.id);
  const verdict = judgePush({ event, push, values: app.values, deployedCommit });
  const taken = await deliveries.add({ ...about, push, mark: proof.mark, ...verdict });
  if (taken !== undefined) return context.json({ ...verdict }, 202);
  await deliveries.add({ ...about, push, ...REPEATED });
  return context.json({ ...REPEATED }, 202);
}

const UNSIGNED = {
  outcome: 'refused',
  reason: 'It is not signed with the secret of this app',
} as const;

const REPEATED = { outcome: 'refused', reason: 'The same delivery came before' } as const;

function unknownHook(): Problem {
  return new Problem(404, 'not-found', 'There is nothing at this path');
}
