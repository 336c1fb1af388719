import type { Context } from 'hono';
import type { App } from '../../apps/apps.ts';
import { Problem } from '../../http/problem.ts';
import { callerOf } from '../caller.ts';
import type { WebhookDeps } from './deps.ts';

/** The caller's app that the path names. */
export async function ownApp(
  context: Context,
  { apps, session }: Pick<WebhookDeps, 'apps' | 'session'>,
): Promise<App> {
  const ownerId = await callerOf(context, session);
  const app = await apps.findOwned(ownerId, context.req.param('appId') ?? '');
  if (app === undefined) throw new Problem(404, 'not-found', 'App not found');
  return app;
}
