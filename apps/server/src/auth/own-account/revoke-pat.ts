import type { Context } from 'hono';
import { z } from 'zod';
import type { AuthDeps } from '../deps.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';

const PatId = z.guid();

/** DELETE /personal-access-tokens/{id}, with the sessions it opened. Somebody else's is as good as none. */
export async function revokePat(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const { data: id } = PatId.safeParse(context.req.param('id'));
  if (id !== undefined && (await deps.personalAccessTokens.revoke(user.id, id))) {
    await deps.audit(context, {
      kind: 'access-token-revoked',
      userId: user.id,
      details: { id },
    });
  }
  return context.json('OK');
}
