import type { Context } from 'hono';
import { AuthProblem } from './auth-problem.ts';
import { callerOf } from './caller.ts';
import type { AuthDeps } from './deps.ts';
import { toUser } from './users.ts';

/** GET /user. */
export async function user(context: Context, { accessTokens, users }: AuthDeps): Promise<Response> {
  const caller = await callerOf(context.req.header('authorization'), accessTokens);
  if (caller.kind !== 'identified') throw new AuthProblem('unauthorized');
  const row = await users.findById(caller.identified.userId);
  if (row === undefined || row.disabled) throw new AuthProblem('unauthorized');
  return context.json({ ...toUser(row), activeMfaType: row.active_mfa_type });
}
