import type { Context } from 'hono';
import type { App } from '../../apps/apps.ts';
import { Problem } from '../../http/problem.ts';
import { requireCaller } from '../caller.ts';
import type { WebhookDeps } from './deps.ts';

/** The app in the request's path. It must belong to the caller. */
export async function requireOwnApp(
  context: Context,
  { apps, session }: Pick<WebhookDeps, 'apps' | 'session'>,
): Promise<App> {
  const ownerId = await requireCaller(context, session);
  const app = await apps.findOwned(ownerId, context.req.param('appId') ?? '');
  if (app === undefined) throw appNotFound();
  return app;
}

export function appNotFound(): Problem {
  return new Problem(404, 'not-found', 'App not found');
}
