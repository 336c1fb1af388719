import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import type { ChallengePurpose } from './challenges.ts';
import { challengeOfClientData } from './client-data.ts';
import type { AssertionCredential } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import type { RelyingParty } from './relying-party.ts';
import type { SecurityKeyRow } from './security-keys.ts';
import { matchesUserHandle } from './user-handle.ts';

export type Asserted = { credential: AssertionCredential; purpose: ChallengePurpose };

/** The key that signed a challenge of ours. Every refusal looks the same. */
export async function assertion(
  context: Context,
  { credential, purpose }: Asserted,
  { challenges, securityKeys, relyingParty, audit }: WebauthnDeps,
): Promise<SecurityKeyRow> {
  const challenge = challengeOfClientData(credential.response.clientDataJSON);
  const redeemed = challenge && (await challenges.redeem(challenge, purpose));
  const key = await securityKeys.find(credential.id);
  if (!redeemed || key === undefined) throw new AuthProblem('invalid-request');
  if (!isMeant(key, redeemed.userId, credential.response.userHandle))
    throw new AuthProblem('invalid-request');

  const keyId = key.id;
  const userId = key.user_id;
  const counter = await signedCounter(credential, {
    key,
    challenge: redeemed.challenge,
    relyingParty,
  });
  if (counter === undefined) {
    await audit(context, { kind: 'sign-in-refused', userId, details: { keyId } });
    throw new AuthProblem('invalid-request');
  }
  if (!(await securityKeys.advance(keyId, counter))) {
    await audit(context, { kind: 'security-key-cloned', userId, details: { keyId } });
    throw new AuthProblem('invalid-request');
  }
  return key;
}

/** A challenge without a user is answered by a key that knows whose it is. */
function isMeant(
  key: SecurityKeyRow,
  userId: string | null,
  userHandle: string | null | undefined,
): boolean {
  if (userId !== null && key.user_id !== userId) return false;
  return userHandle ? matchesUserHandle(userHandle, key.user_id) : userId !== null;
}

type Expected = { key: SecurityKeyRow; challenge: string; relyingParty: RelyingParty };

/** The counter under the key's signature; nothing when the signature, or what it covers, is not right. */
async function signedCounter(
  { id, rawId, type, response }: AssertionCredential,
  { key, challenge, relyingParty }: Expected,
): Promise<number | undefined> {
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
      // The counter is judged by the update that stores it: only then can two answers not both pass.
      credential: { id: key.credential_id, publicKey: new Uint8Array(key.public_key), counter: 0 },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
