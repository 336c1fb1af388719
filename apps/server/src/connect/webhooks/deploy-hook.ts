import { randomBytes } from 'node:crypto';
import { connectPath, type DeployHook } from '@longshore/contract';
import type { Context } from 'hono';
import type { App } from '../../apps/apps.ts';
import { ResourceProblem } from '../../db/resources.ts';
import { Problem } from '../../http/problem.ts';
import { Secret } from '../../secrets/secret.ts';
import { DEPLOY_HOOK_SECRET } from '../sealed-secrets.ts';
import type { WebhookDeps } from './deps.ts';
import { unknownHook } from './receive-delivery.ts';
import { appNotFound, requireOwnApp } from './require-own-app.ts';

const NONE: DeployHook = { url: null };
/** Checked for apps without a hook, so that the response time does not reveal whether an app has one. */
const DUMMY_SECRET = generateSecret();

/** GET /apps/{appId}/deploy-hook: the secret URL that redeploys the app, for the app's owner only. */
export async function showDeployHook(context: Context, deps: WebhookDeps): Promise<Response> {
  const { id } = await requireOwnApp(context, deps);
  const secret = await deps.secrets.read(id, DEPLOY_HOOK_SECRET);
  return context.json(secret === undefined ? NONE : toDeployHook(id, secret, deps));
}

/** POST /apps/{appId}/deploy-hook: creates the URL. One that exists is replaced and stops working. */
export async function createDeployHook(context: Context, deps: WebhookDeps): Promise<Response> {
  const app = await requireOwnApp(context, deps);
  const { id } = app;
  const secret = generateSecret();
  if (!(await deps.secrets.store(id, DEPLOY_HOOK_SECRET, secret))) throw appNotFound();
  await deps.audit(context, { kind: 'deploy-hook-created', ...auditedApp(app) });
  return context.json(toDeployHook(id, secret, deps));
}

/** DELETE /apps/{appId}/deploy-hook. Idempotent. */
export async function removeDeployHook(context: Context, deps: WebhookDeps): Promise<Response> {
  const app = await requireOwnApp(context, deps);
  await deps.secrets.remove(app.id, DEPLOY_HOOK_SECRET);
  await deps.audit(context, { kind: 'deploy-hook-removed', ...auditedApp(app) });
  return context.json(NONE);
}

/**
 * POST /deploy-hooks/{appId}?key={secret}: redeploys the app. With another secret the response is the same as for an unknown
 * path, so that it does not reveal whether the app exists.
 */
export async function callDeployHook(context: Context, deps: WebhookDeps): Promise<Response> {
  const app = await deps.apps.find(context.req.param('appId') ?? '');
  const secret = app && (await deps.secrets.read(app.id, DEPLOY_HOOK_SECRET));
  const isValid = (secret ?? DUMMY_SECRET).equals(context.req.query('key') ?? '');
  if (app === undefined || secret === undefined || !isValid) throw unknownHook();
  await redeploy(app, deps);
  const isAwake = app.values.instances > 0;
  const message = isAwake ? 'The app is being redeployed' : 'The app is redeployed when it wakes';
  return context.json({ message }, 202);
}

/** Link previews and crawlers send GET requests; they must not deploy anything. */
export function refuseDeployHookMethod(): never {
  const message = 'Send a POST request to this URL to redeploy the app';
  throw new Problem(405, 'method-not-allowed', message, { headers: { allow: 'POST' } });
}

async function redeploy({ id, ownerId }: App, deps: WebhookDeps): Promise<void> {
  if (await deps.isDisabled(ownerId)) {
    throw new Problem(403, 'account-disabled', 'The account that owns the app is disabled');
  }
  try {
    if (!(await deps.redeployByHook(id))) throw unknownHook();
  } catch (error) {
    if (!(error instanceof ResourceProblem)) throw error;
    throw new Problem(403, 'deploy-refused', error.message, { cause: error });
  }
}

function auditedApp({ id, ownerId, values }: App) {
  return { userId: ownerId, details: { app: id, name: values.name } };
}

function generateSecret(): Secret {
  return new Secret(randomBytes(32).toString('base64url'));
}

function toDeployHook(appId: string, secret: Secret, { connectUrl }: WebhookDeps): DeployHook {
  const key = new URLSearchParams({ key: secret.reveal() });
  return { url: `${connectUrl}${connectPath('callDeployHook', { appId })}?${key}` };
}
