import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import { codeVerifierField } from './code-challenge.ts';

const Body = z.object({ code: z.string(), codeVerifier: codeVerifierField });

/** POST /token/exchange: the code of a redirect, with the verifier of its challenge, becomes a session. */
export async function tokenExchange(context: Context, deps: AuthDeps): Promise<Response> {
  const { code, codeVerifier } = await jsonBody(context, Body);
  const userId = await deps.exchangeCodes.redeem(code, codeVerifier);
  const user = userId === undefined ? undefined : await deps.users.findById(userId);
  if (user === undefined) {
    await deps.audit(context, { kind: 'sign-in-refused', details: { by: 'code' } });
    throw new AuthProblem('invalid-request');
  }
  assertCanSignIn(user, deps.settings);
  const session = await deps.sessions.open(user, context);
  await deps.audit(context, { kind: 'signed-in', userId: user.id, details: { by: 'code' } });
  return context.json({ session });
}
