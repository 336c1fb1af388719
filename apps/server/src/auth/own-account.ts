import type { ActiveSession, SecurityEvent } from '@longshore/contract';
import type { Context } from 'hono';
import { sql } from 'kysely';
import { z } from 'zod';
import { AuthProblem } from './auth-problem.ts';
import { checkBearer } from './check-bearer.ts';
import type { AuthDeps } from './deps.ts';
import { requireRegisteredUser } from './require-registered-user.ts';
import { toUser } from './users.ts';

/** GET /user. */
export async function getUser(
  context: Context,
  { accessTokens, users }: AuthDeps,
): Promise<Response> {
  const caller = await checkBearer(context.req.header('authorization'), accessTokens);
  if (caller.kind !== 'identified') throw new AuthProblem('unauthorized');
  const current = await users.findBySession(caller.identified);
  if (current === undefined || current.user.disabled) throw new AuthProblem('unauthorized');
  const { user } = current;
  return context.json({ ...toUser(user), activeMfaType: user.active_mfa_type });
}

/** GET /sessions: the caller's sessions, last used first. */
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

const SessionId = z.guid();

/** DELETE /sessions/{id}. Responds with OK for sessions of other users too, but does not end them. */
export async function revokeSession(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const { data: sessionId } = SessionId.safeParse(context.req.param('id'));
  if (sessionId !== undefined && (await deps.refreshTokens.revokeSession(user.id, sessionId))) {
    // The person in that session may have asked for the change of address, and can read the link.
    await deps.tickets.revoke(user.id, 'emailConfirmChange');
    await deps.audit(context, {
      kind: 'session-revoked',
      userId: user.id,
      details: { sessionId },
    });
  }
  return context.json('OK');
}

const MAX_EVENTS = 100;

/** GET /events: the security events of the caller's account, newest first. */
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
