import type { Context } from 'hono';
import { z } from 'zod';
import type { AuthDeps } from '../deps.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';

const SessionId = z.guid();

/** DELETE /sessions/{id}. Somebody else's session is as good as none, and none needs no ending. */
export async function revokeSession(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const sessionId = SessionId.safeParse(context.req.param('id'));
  if (sessionId.success && (await deps.refreshTokens.revokeSession(user.id, sessionId.data))) {
    await deps.audit(context, {
      kind: 'session-revoked',
      userId: user.id,
      details: { sessionId: sessionId.data },
    });
  }
  return context.json('OK');
}
