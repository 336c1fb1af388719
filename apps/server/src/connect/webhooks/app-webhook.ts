import type { Webhook } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import type { App } from '../../apps/apps.ts';
import { jsonBody } from '../../http/json-body.ts';
import type { Secret } from '../../secrets/secret.ts';
import { WEBHOOK_SECRET } from '../sealed-secrets.ts';
import { generateHookSecret } from './delivery-signature.ts';
import type { WebhookDeps } from './deps.ts';
import type { Hook } from './hooks.ts';
import { hookUrl, isRegistered, registerHook, unregisterHook } from './registration.ts';
import { requireOwnApp } from './require-own-app.ts';

const OFF: Webhook = { state: 'off', url: '', secret: '' };
const Body = z.object({ enabled: z.boolean() });

/** GET /apps/{appId}/webhook: the webhook of an app with its secret, for the app's owner only. */
export async function showWebhook(context: Context, deps: WebhookDeps): Promise<Response> {
  const app = await requireOwnApp(context, deps);
  const hook = await deps.hooks.ofApp(app.id);
  const secret = await deps.secrets.read(app.id, WEBHOOK_SECRET);
  if (hook === undefined || secret === undefined) return context.json(OFF);
  return context.json(toWebhook({ app, hook, secret }, deps));
}

/** POST /apps/{appId}/webhook {enabled}: enables or disables the webhook. Idempotent. */
export async function setWebhook(context: Context, deps: WebhookDeps): Promise<Response> {
  const app = await requireOwnApp(context, deps);
  const { enabled } = await jsonBody(context, Body);
  const change = enabled ? enable : disable;
  return context.json(await deps.locks.run(app.id, () => change(app, deps)));
}

async function enable(app: App, deps: WebhookDeps): Promise<Webhook> {
  const hook = await deps.hooks.add(app.id);
  const storedSecret = await deps.secrets.read(app.id, WEBHOOK_SECRET);
  const secret = storedSecret ?? (await createSecret(app, deps));
  // Without a stored secret, for example after a deleted app was restored, the provider has an outdated one.
  if (storedSecret !== undefined && isRegistered(hook, app)) {
    return toWebhook({ app, hook, secret }, deps);
  }
  await unregisterHook(hook, app.ownerId, deps);
  await deps.hooks.register(hook.id, undefined);
  const note = await registerHook({ app, hook, secret }, deps);
  const currentHook = (await deps.hooks.ofApp(app.id)) ?? hook;
  const webhook = toWebhook({ app, hook: currentHook, secret }, deps);
  return note === undefined ? webhook : { ...webhook, note };
}

async function disable(app: App, deps: WebhookDeps): Promise<Webhook> {
  const hook = await deps.hooks.ofApp(app.id);
  if (hook === undefined) return OFF;
  await unregisterHook(hook, app.ownerId, deps);
  await deps.hooks.remove(hook.id);
  await deps.secrets.remove(app.id, WEBHOOK_SECRET);
  return OFF;
}

async function createSecret({ id }: App, { secrets }: WebhookDeps): Promise<Secret> {
  const secret = generateHookSecret();
  await secrets.store(id, WEBHOOK_SECRET, secret);
  return secret;
}

function toWebhook(
  { app, hook, secret }: { app: App; hook: Hook; secret: Secret },
  { connectUrl }: WebhookDeps,
): Webhook {
  return {
    state: isRegistered(hook, app) ? 'registered' : 'manual',
    url: hookUrl(connectUrl, hook),
    secret: secret.reveal(),
  };
}
