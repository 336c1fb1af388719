import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { signInResponse } from '../sessions.ts';
import { emailField } from '../sign-in-fields.ts';
import { assertionField } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { requestOptions } from './options.ts';
import { verifyAssertion } from './verify-assertion.ts';

/** An id that no user has. */
const UNKNOWN_USER = '00000000-0000-0000-0000-000000000000';

const StartBody = z.object({ email: emailField.nullish() });

/** POST /signin/webauthn. Without an e-mail address, the security key that the user picks identifies them. */
export async function signInWebauthn(
  context: Context,
  { users, challenges, securityKeys, relyingParty }: WebauthnDeps,
): Promise<Response> {
  const { email } = await jsonBody(context, StartBody);
  if (email === null || email === undefined) {
    const challenge = await challenges.issue({ purpose: 'webauthn-sign-in' });
    return context.json(requestOptions({ relyingParty, challenge }));
  }
  // An unknown address gets the same response in the same time as one without keys.
  const user = await users.findByEmail(email);
  const keys = await securityKeys.ofUser(user?.id ?? UNKNOWN_USER);
  if (keys.length === 0) throw new AuthProblem('invalid-request');
  const challenge = await challenges.issue({ purpose: 'webauthn-sign-in', userId: user?.id });
  const credentialIds = keys.map((key) => key.credential_id);
  return context.json(requestOptions({ relyingParty, challenge, credentialIds }));
}

const VerifyBody = z.object({ email: emailField.nullish(), credential: assertionField });

/** POST /signin/webauthn/verify. */
export async function signInWebauthnVerify(
  context: Context,
  deps: WebauthnDeps,
): Promise<Response> {
  const { email, credential } = await jsonBody(context, VerifyBody);
  const assertion = { credential, purpose: 'webauthn-sign-in' } as const;
  const { key, isUserVerified } = await verifyAssertion(context, assertion, deps);
  const user = await deps.users.findById(key.user_id);
  if (user === undefined || (email && user.email !== email))
    throw new AuthProblem('invalid-request');
  const opened = await deps.sessions.open(context, {
    user,
    way: isUserVerified ? 'verified-security-key' : 'security-key',
    event: { kind: 'signed-in', details: { keyId: key.id } },
  });
  return signInResponse(context, opened);
}
