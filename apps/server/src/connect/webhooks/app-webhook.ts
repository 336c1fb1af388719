import type { Webhook } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import type { App } from '../../apps/apps.ts';
import { jsonBody } from '../../http/json-body.ts';
import type { Secret } from '../../secrets/secret.ts';
import { makeHookSecret } from './delivery-signature.ts';
import { HOOK_SECRET, type WebhookDeps } from './deps.ts';
import type { Hook } from './hooks.ts';
import { ownApp } from './own-app.ts';
import { isRegistered, registerHook, unregisterHook } from './registration.ts';

const OFF: Webhook = { state: 'off', url: '', secret: '' };
const Wish = z.object({ enabled: z.boolean() });

/** GET /apps/{appId}/webhook: how pushes reach the app, for its owner only. */
export async function showWebhook(context: Context, deps: WebhookDeps): Promise<Response> {
  const app = await ownApp(context, deps);
  const hook = await deps.hooks.ofApp(app.id);
  const secret = await deps.secrets.read(app.id, HOOK_SECRET);
  if (hook === undefined || secret === undefined) return context.json(OFF);
  return context.json(told({ app, hook, secret }, deps));
}

/** POST /apps/{appId}/webhook {enabled}: has it so, however often it is asked. */
export async function setWebhook(context: Context, deps: WebhookDeps): Promise<Response> {
  const app = await ownApp(context, deps);
  const { enabled } = await jsonBody(context, Wish);
  const change = enabled ? turnOn : turnOff;
  return context.json(await deps.locks.run(app.id, () => change(app, deps)));
}

async function turnOn(app: App, deps: WebhookDeps): Promise<Webhook> {
  const hook = await deps.hooks.add(app.id);
  const known = await deps.secrets.read(app.id, HOOK_SECRET);
  const secret = known ?? (await newSecret(app, deps));
  // An app that came back has lost the secret which the provider knows.
  if (known !== undefined && isRegistered(hook, app)) return told({ app, hook, secret }, deps);
  await unregisterHook(hook, app.ownerId, deps);
  await deps.hooks.register(hook.id, undefined);
  const note = await registerHook({ app, hook, secret }, deps);
  const newer = (await deps.hooks.ofApp(app.id)) ?? hook;
  const webhook = told({ app, hook: newer, secret }, deps);
  return note === undefined ? webhook : { ...webhook, note };
}

async function turnOff(app: App, deps: WebhookDeps): Promise<Webhook> {
  const hook = await deps.hooks.ofApp(app.id);
  if (hook === undefined) return OFF;
  await unregisterHook(hook, app.ownerId, deps);
  await deps.hooks.remove(hook.id);
  await deps.secrets.forget(app.id, HOOK_SECRET);
  return OFF;
}

async function newSecret({ id }: App, { secrets }: WebhookDeps): Promise<Secret> {
  const secret = makeHookSecret();
  await secrets.keep(id, HOOK_SECRET, secret);
  return secret;
}

function told(
  { app, hook, secret }: { app: App; hook: Hook; secret: Secret },
  { hooksUrl }: WebhookDeps,
): Webhook {
  return {
    state: isRegistered(hook, app) ? 'registered' : 'manual',
    url: `${hooksUrl}/${hook.id}`,
    secret: secret.reveal(),
  };
}
