import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { requireRegisteredUser } from '../require-registered-user.ts';
import { assertCanSignIn } from '../sign-in-problem.ts';
import { assertionField } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { requestOptions } from './options.ts';
import { verifyAssertion } from './verify-assertion.ts';

/** POST /elevate/webauthn. The bearer token alone determines the user; the body is ignored. */
export async function elevateWebauthn(context: Context, deps: WebauthnDeps): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  const keys = await deps.securityKeys.ofUser(user.id);
  if (keys.length === 0) throw new AuthProblem('invalid-request');
  const challenge = await deps.challenges.issue({ purpose: 'webauthn-elevate', userId: user.id });
  const credentialIds = keys.map((key) => key.credential_id);
  return context.json(
    requestOptions({ relyingParty: deps.relyingParty, challenge, credentialIds }),
  );
}

const VerifyBody = z.object({ credential: assertionField });

/** POST /elevate/webauthn/verify. The elevation lasts as long as the access token; a refresh ends it. */
export async function elevateWebauthnVerify(
  context: Context,
  deps: WebauthnDeps,
): Promise<Response> {
  const { user } = await requireRegisteredUser(context, deps);
  assertCanSignIn(user, deps.settings);
  const { credential } = await jsonBody(context, VerifyBody);
  const key = await verifyAssertion(context, { credential, purpose: 'webauthn-elevate' }, deps);
  if (key.user_id !== user.id) throw new AuthProblem('invalid-request');
  const session = await deps.sessions.open(user, context);
  const sessionId = session.refreshTokenId;
  const accessToken = deps.accessTokens.sign(user, { isElevated: true, sessionId });
  await deps.audit(context, { kind: 'elevated', userId: user.id, details: { keyId: key.id } });
  return context.json({ session: { ...session, accessToken } });
}
