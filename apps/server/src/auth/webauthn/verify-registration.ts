import { AuthProblem } from '../auth-problem.ts';
import type { ChallengePurpose, Redeemed } from './challenges.ts';
import { challengeOfClientData } from './client-data.ts';
import type { RegistrationCredential } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { ALGORITHMS } from './options.ts';
import type { RelyingParty } from './relying-party.ts';
import type { NewSecurityKey } from './security-keys.ts';

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** A new key that answered a challenge of ours, with what was remembered of the challenge. */
export async function registration(
  credential: RegistrationCredential,
  purpose: ChallengePurpose,
  { challenges, relyingParty }: WebauthnDeps,
): Promise<{ key: NewSecurityKey; redeemed: Redeemed }> {
  const challenge = challengeOfClientData(credential.response.clientDataJSON);
  const redeemed = challenge && (await challenges.redeem(challenge, purpose));
  if (!redeemed) throw new AuthProblem('invalid-request');
  return { key: await newKey(credential, redeemed.challenge, relyingParty), redeemed };
}

async function newKey(
  credential: RegistrationCredential,
  challenge: string,
  relyingParty: RelyingParty,
): Promise<NewSecurityKey> {
  const { registrationInfo } = await verify(credential, challenge, relyingParty);
  // The id inside is the one that was made; outside it is only repeated.
  if (registrationInfo?.credential.id !== credential.id) throw new AuthProblem('invalid-request');
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(registrationInfo.credential.publicKey),
    counter: registrationInfo.credential.counter,
    transports: TRANSPORTS.filter((name) => credential.response.transports?.includes(name)),
  };
}

async function verify(
  { id, rawId, type, response }: RegistrationCredential,
  expectedChallenge: string,
  relyingParty: RelyingParty,
) {
  // Loaded when somebody has a key: it is the largest part of the server.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    return await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: await withoutStatement(response.attestationObject),
        },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: relyingParty.origins,
      expectedRPID: relyingParty.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
  } catch (cause) {
    throw new AuthProblem('invalid-request', { cause });
  }
}

/**
 * Every maker's keys are welcome, so the maker's statement is left aside. To check it would also mean to call
 * addresses that stand in it.
 */
async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData = decodeAttestationObject(
    new Uint8Array(Buffer.from(attestationObject, 'base64url')),
  ).get('authData');
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ]);
  return Buffer.from(isoCBOR.encode(bare)).toString('base64url');
}
