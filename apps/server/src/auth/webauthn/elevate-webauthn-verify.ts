import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import { assertionField } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { assertion } from './verify-assertion.ts';

const Body = z.object({ credential: assertionField });

/** POST /elevate/webauthn/verify. The elevation lasts as long as the access token; a refresh ends it. */
export async function elevateWebauthnVerify(
  context: Context,
  deps: WebauthnDeps,
): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  assertCanSignIn(user, deps.settings);
  const { credential } = await jsonBody(context, Body);
  const key = await assertion(context, { credential, purpose: 'webauthn-elevate' }, deps);
  if (key.user_id !== user.id) throw new AuthProblem('invalid-request');
  const session = await deps.sessions.open(user, context);
  const sessionId = session.refreshTokenId;
  const accessToken = deps.accessTokens.sign(user, { isElevated: true, sessionId });
  await deps.audit(context, { kind: 'elevated', userId: user.id, details: { keyId: key.id } });
  return context.json({ session: { ...session, accessToken } });
}
