import type { ActiveSession } from '@longshore/contract';
import type { Context } from 'hono';
import { sql } from 'kysely';
import type { AuthDeps } from '../deps.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';

/** GET /sessions: where the caller is signed in, the last used first. Our own, no public client asks for it. */
export async function listSessions(context: Context, deps: AuthDeps): Promise<Response> {
  const { user, identified } = await requireRegisteredUser(context, deps);
  const rows = await deps.db
    .selectFrom('auth.refresh_tokens')
    .select(['id', 'created_at', 'last_used_at', 'user_agent', 'address'])
    .where('user_id', '=', user.id)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_used_at', 'desc')
    .execute();
  const sessions = rows.map(
    (row): ActiveSession => ({
      id: row.id,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at.toISOString(),
      userAgent: row.user_agent,
      address: row.address,
      isCurrent: row.id === identified.sessionId,
    }),
  );
  return context.json({ sessions });
}
