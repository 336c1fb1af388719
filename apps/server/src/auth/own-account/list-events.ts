import type { SecurityEvent } from '@longshore/contract';
import type { Context } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';

const MAX_EVENTS = 100;

/** GET /events: what was done with the caller's account, the newest first. Our own, no public client asks for it. */
export async function listEvents(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const rows = await deps.db
    .selectFrom('auth.events')
    .select(['id', 'at', 'kind', 'address', 'user_agent', 'details'])
    .where('user_id', '=', user.id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_EVENTS)
    .execute();
  const events = rows.map(
    ({ user_agent: userAgent, at, details, ...row }): SecurityEvent => ({
      ...row,
      userAgent,
      at: at.toISOString(),
      details: details as SecurityEvent['details'],
    }),
  );
  return context.json({ events });
}
