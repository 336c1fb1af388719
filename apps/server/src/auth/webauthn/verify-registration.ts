import { AuthProblem } from '../auth-problem.ts';
import type { ChallengePurpose, Redeemed } from './challenges.ts';
import { challengeOfClientData } from './challenges.ts';
import type { RegistrationCredential } from './credential-fields.ts';
import type { WebauthnDeps } from './deps.ts';
import { ALGORITHMS } from './options.ts';
import type { RelyingParty } from './relying-party.ts';
import type { NewSecurityKey } from './security-keys.ts';

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** Returns the new security key that signed a challenge, and the challenge. */
export async function verifyRegistration(
  credential: RegistrationCredential,
  purpose: ChallengePurpose,
  { challenges, relyingParty }: WebauthnDeps,
): Promise<{ key: NewSecurityKey; redeemed: Redeemed }> {
  const challenge = challengeOfClientData(credential.response.clientDataJSON);
  const redeemed = challenge && (await challenges.redeem(challenge, purpose));
  if (!redeemed) throw new AuthProblem('invalid-request');
  return { key: await verifiedKey(credential, redeemed.challenge, relyingParty), redeemed };
}

async function verifiedKey(
  credential: RegistrationCredential,
  challenge: string,
  relyingParty: RelyingParty,
): Promise<NewSecurityKey> {
  const { registrationInfo } = await verify(credential, challenge, relyingParty);
  // Only the id inside the attestation is authenticated.
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
  // Loaded on first use: it is the largest dependency of the server.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    return await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: await withoutAttestationStatement(response.attestationObject),
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
 * Drops the attestation statement: keys of all manufacturers are accepted, and verifying it would require requests
 * to URLs in it.
 */
async function withoutAttestationStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData = decodeAttestationObject(
    new Uint8Array(Buffer.from(attestationObject, 'base64url')),
  ).get('authData');
  const stripped = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ]);
  return Buffer.from(isoCBOR.encode(stripped)).toString('base64url');
}
