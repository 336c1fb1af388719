import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import type { ChallengePurpose } from './challenges.ts';
import { challengeOfClientData } from './challenges.ts';
import type { AssertionCredential } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import type { RelyingParty } from './relying-party.ts';
import type { SecurityKeyRow } from './security-keys.ts';

/** `isUserVerified`: the key checked a PIN or a fingerprint. Otherwise its possession was enough. */
export type VerifiedAssertion = { key: SecurityKeyRow; isUserVerified: boolean };

export type Assertion = { credential: AssertionCredential; purpose: ChallengePurpose };

/** Returns the security key that signed a challenge. Every refusal gets the same response. */
export async function verifyAssertion(
  context: Context,
  { credential, purpose }: Assertion,
  { challenges, securityKeys, relyingParty, audit }: WebauthnDeps,
): Promise<VerifiedAssertion> {
  const challenge = challengeOfClientData(credential.response.clientDataJSON);
  const redeemed = challenge && (await challenges.redeem(challenge, purpose));
  const key = await securityKeys.find(credential.id);
  if (!redeemed || key === undefined) throw new AuthProblem('invalid-request');
  if (!isExpectedKey(key, redeemed.userId, credential.response.userHandle))
    throw new AuthProblem('invalid-request');

  const keyId = key.id;
  const userId = key.user_id;
  const signed = await verifySignature(credential, {
    key,
    challenge: redeemed.challenge,
    relyingParty,
  });
  if (signed === undefined) {
    await audit(context, { kind: 'sign-in-refused', userId, details: { keyId } });
    throw new AuthProblem('invalid-request');
  }
  if (!(await securityKeys.advance(keyId, signed.newCounter))) {
    await audit(context, { kind: 'security-key-cloned', userId, details: { keyId } });
    throw new AuthProblem('invalid-request');
  }
  return { key, isUserVerified: signed.userVerified };
}

/** If the challenge was issued without a user, the response must contain a user handle. */
function isExpectedKey(
  key: SecurityKeyRow,
  userId: string | null,
  userHandle: string | null | undefined,
): boolean {
  if (userId !== null && key.user_id !== userId) return false;
  return userHandle ? matchesUserHandle(userHandle, key.user_id) : userId !== null;
}

type ExpectedSignature = { key: SecurityKeyRow; challenge: string; relyingParty: RelyingParty };

/** The signed counter and flags. Undefined if the signature or the signed data is invalid. */
async function verifySignature(
  { id, rawId, type, response }: AssertionCredential,
  { key, challenge, relyingParty }: ExpectedSignature,
): Promise<{ newCounter: number; userVerified: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: {
          authenticatorData: response.authenticatorData,
          clientDataJSON: response.clientDataJSON,
          signature: response.signature,
        },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origins,
      expectedRPID: relyingParty.id,
      // `securityKeys.advance` checks the counter when it stores it, so that of two simultaneous responses only one
      // passes.
      credential: { id: key.credential_id, publicKey: new Uint8Array(key.public_key), counter: 0 },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo : undefined;
  } catch {
    return undefined;
  }
}

/** The user handle is the user's id, plain or as base64url, depending on the client. */
export function matchesUserHandle(userHandle: string, userId: string): boolean {
  return userHandle === userId || userHandle === Buffer.from(userId).toString('base64url');
}
