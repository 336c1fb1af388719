import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type {
  PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  PublicKeyCredentialRequestOptionsJSON as RequestOptions,
} from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** Values that replace the real ones in a response, to simulate attacks. */
export type ResponseOverrides = {
  challenge?: string;
  origin?: string;
  rpId?: string;
  type?: string;
  counter?: number;
  credentialId?: string;
  userHandle?: string | null;
  isPresent?: boolean;
  /** The key checked a PIN, fingerprint or face. */
  isUserVerified?: boolean;
  format?: string;
};

const ORIGIN = 'http://localhost:1337';
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** A security key in software, with one ES256 key, real signatures and a counter. */
export function softwareAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  const state = { counter: 0, userHandle: '' };

  return {
    id,
    state,
    /** The result of `navigator.credentials.create`. */
    create(options: CreationOptions, overrides: ResponseOverrides = {}) {
      state.userHandle = options.user.id;
      const attestedId = overrides.credentialId
        ? Buffer.from(overrides.credentialId, 'base64url')
        : credentialId;
      const keyBytes = Buffer.from(isoCBOR.encode(coseKey(publicKey.export({ format: 'jwk' }))));
      const authenticatorData = Buffer.concat([
        authenticatorDataHead(overrides.rpId ?? options.rp.id ?? '', HAS_KEY, overrides),
        Buffer.alloc(16),
        Buffer.from([attestedId.length >> 8, attestedId.length & 0xff]),
        attestedId,
        keyBytes,
      ]);
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', overrides.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authenticatorData)],
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        authenticatorAttachment: 'cross-platform',
        response: {
          attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
          clientDataJSON: clientData('webauthn.create', options.challenge, overrides).toString(
            'base64url',
          ),
          transports: ['usb', 'nonsense'],
        },
      };
    },
    /** The result of `navigator.credentials.get`. */
    get(options: RequestOptions, overrides: ResponseOverrides = {}) {
      state.counter += 1;
      const authenticatorData = authenticatorDataHead(
        overrides.rpId ?? options.rpId ?? '',
        0,
        overrides,
      );
      const data = clientData('webauthn.get', options.challenge, overrides);
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(data).digest()]);
      const assertedId = overrides.credentialId ?? id;
      return {
        id: assertedId,
        rawId: assertedId,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          authenticatorData: authenticatorData.toString('base64url'),
          clientDataJSON: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: overrides.userHandle === undefined ? state.userHandle : overrides.userHandle,
        },
      };
    },
  };

  function authenticatorDataHead(
    rpId: string,
    flags: number,
    { counter, isPresent = true, isUserVerified = false }: ResponseOverrides,
  ): Buffer {
    const rest = Buffer.alloc(5);
    const presence = isPresent ? USER_PRESENT : 0;
    rest.writeUInt8(flags | presence | (isUserVerified ? USER_VERIFIED : 0), 0);
    rest.writeUInt32BE(counter ?? state.counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
  }
}

export type SoftwareAuthenticator = ReturnType<typeof softwareAuthenticator>;

function clientData(type: string, challenge: string, overrides: ResponseOverrides): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: overrides.type ?? type,
      challenge: overrides.challenge ?? challenge,
      origin: overrides.origin ?? ORIGIN,
      crossOrigin: false,
    }),
  );
}

/** COSE: key type 2 (elliptic curve), algorithm -7 (ES256), curve 1 (P-256). */
function coseKey({ x = '', y = '' }: { x?: string; y?: string }) {
  return new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]);
}
