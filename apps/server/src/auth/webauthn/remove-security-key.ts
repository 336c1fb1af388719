import type { Context } from 'hono';
import { z } from 'zod';
import { AuthProblem } from '../auth-problem.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import type { WebauthnDeps } from './deps.ts';

const Id = z.guid();

/** DELETE /user/security-keys/:id. Our own addition. */
export async function removeSecurityKey(context: Context, deps: WebauthnDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const id = Id.safeParse(context.req.param('id')).data;
  if (id === undefined || !(await deps.securityKeys.remove(user.id, id)))
    throw new AuthProblem('invalid-request');
  await deps.audit(context, {
    kind: 'security-key-removed',
    userId: user.id,
    details: { keyId: id },
  });
  return context.json('OK');
}
