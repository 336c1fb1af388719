import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { CHALLENGE_SECONDS } from './challenges.ts';
import type { RelyingParty } from './relying-party.ts';

/** COSE identifiers of ES256, EdDSA and RS256, in order of preference. */
export const ALGORITHMS = [-7, -8, -257];

export type CreationRequest = {
  relyingParty: RelyingParty;
  challenge: string;
  user: { id: string; name: string; displayName: string };
  /** The user's existing keys. */
  credentialIds: string[];
};

/** Options for `navigator.credentials.create`. nhost-js expects the user's id as a plain UUID. */
export function creationOptions({
  relyingParty,
  challenge,
  user,
  credentialIds,
}: CreationRequest): PublicKeyCredentialCreationOptionsJSON {
  return {
    rp: { id: relyingParty.id, name: relyingParty.name },
    user,
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_SECONDS * 1_000,
    excludeCredentials: credentialIds.map(descriptor),
    authenticatorSelection: {
      requireResidentKey: false,
      residentKey: 'preferred',
      userVerification: 'preferred',
    },
    attestation: 'indirect',
  };
}

export type AssertionRequest = {
  relyingParty: RelyingParty;
  challenge: string;
  /** Undefined: the user picks any key. */
  credentialIds?: string[] | undefined;
};

/** Options for `navigator.credentials.get`. */
export function requestOptions({
  relyingParty,
  challenge,
  credentialIds,
}: AssertionRequest): PublicKeyCredentialRequestOptionsJSON {
  return {
    challenge,
    timeout: CHALLENGE_SECONDS * 1_000,
    rpId: relyingParty.id,
    ...(credentialIds === undefined ? {} : { allowCredentials: credentialIds.map(descriptor) }),
    userVerification: 'preferred',
  };
}

function descriptor(id: string): { type: 'public-key'; id: string } {
  return { type: 'public-key', id };
}
