import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import { elevate } from '../proof/elevate-endpoints.ts';
import { requireProvableSession } from '../proof/require-fresh-proof.ts';
import { signInResponse } from '../sessions.ts';
import { assertionField } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { requestOptions } from './options.ts';
import { verifyAssertion } from './verify-assertion.ts';

/** POST /elevate/webauthn. The bearer token alone determines the user; the body is ignored. */
export async function elevateWebauthn(context: Context, deps: WebauthnDeps): Promise<Response> {
  const { user } = await requireProvableSession(context, deps);
  const keys = await deps.securityKeys.ofUser(user.id);
  if (keys.length === 0) throw new AuthProblem('invalid-request');
  const challenge = await deps.challenges.issue({ purpose: 'webauthn-elevate', userId: user.id });
  return context.json({
    ...requestOptions({
      relyingParty: deps.relyingParty,
      challenge,
      credentialIds: keys.map((key) => key.credential_id),
    }),
    ...(user.active_mfa_type === 'totp' ? { userVerification: 'required' } : {}),
  });
}

const VerifyBody = z.object({
  credential: assertionField,
  /** Sent by Longshore's own console only: records the proof in the caller's session instead of opening one. */
  keepSession: z.boolean().nullish(),
});

/**
 * POST /elevate/webauthn/verify. Opens a session, as nhost-js expects, whose access token has the elevated claim until it
 * is refreshed.
 */
export async function elevateWebauthnVerify(
  context: Context,
  deps: WebauthnDeps,
): Promise<Response> {
  const current = await requireProvableSession(context, deps);
  const { user } = current;
  const { credential, keepSession } = await jsonBody(context, VerifyBody);
  const assertion = { credential, purpose: 'webauthn-elevate' } as const;
  const { key, isUserVerified } = await verifyAssertion(context, assertion, deps);
  if (key.user_id !== user.id) throw new AuthProblem('invalid-request');
  const details = { keyId: key.id };
  if (keepSession) {
    const provedBy = isUserVerified ? 'verified-security-key' : 'security-key';
    return await elevate(context, deps, { current, provedBy, details });
  }
  const opened = await deps.sessions.open(context, {
    user,
    way: isUserVerified ? 'verified-elevation' : 'elevation',
    event: { kind: 'elevated', details },
  });
  if (opened.kind === 'mfa') return signInResponse(context, opened);
  const { session } = opened;
  const sessionId = session.refreshTokenId;
  const accessToken = deps.accessTokens.sign(user, { isElevated: true, sessionId });
  return context.json({ session: { ...session, accessToken } });
}
