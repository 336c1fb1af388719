import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { emailField } from '../sign-in-fields.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import { assertionField } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { assertion } from './verify-assertion.ts';

const Body = z.object({ email: emailField.nullish(), credential: assertionField });

/** POST /signin/webauthn/verify. */
export async function signInWebauthnVerify(
  context: Context,
  deps: WebauthnDeps,
): Promise<Response> {
  const { email, credential } = await jsonBody(context, Body);
  const key = await assertion(context, { credential, purpose: 'webauthn-sign-in' }, deps);
  const user = await deps.users.findById(key.user_id);
  if (user === undefined || (email && user.email !== email))
    throw new AuthProblem('invalid-request');
  assertCanSignIn(user, deps.settings);
  const session = await deps.sessions.open(user, context);
  await deps.audit(context, { kind: 'signed-in', userId: user.id, details: { keyId: key.id } });
  return context.json({ session });
}
