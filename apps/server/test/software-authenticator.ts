import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type {
  PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  PublicKeyCredentialRequestOptionsJSON as RequestOptions,
} from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What a cheat, or a page of somebody else, would say instead of the truth. */
export type Lies = {
  challenge?: string;
  origin?: string;
  rpId?: string;
  type?: string;
  counter?: number;
  credentialId?: string;
  userHandle?: string | null;
  isPresent?: boolean;
  format?: string;
};

const ORIGIN = 'http://localhost:1337';
const USER_PRESENT = 0x01;
const HAS_KEY = 0x40;

/** A security key in software: one ES256 key, real signatures, its counter. */
export function softwareAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  const state = { counter: 0, userHandle: '' };

  return {
    id,
    state,
    /** As `navigator.credentials.create` answers. */
    create(options: CreationOptions, lies: Lies = {}) {
      state.userHandle = options.user.id;
      const inside = lies.credentialId ? Buffer.from(lies.credentialId, 'base64url') : credentialId;
      const keyBytes = Buffer.from(isoCBOR.encode(coseKey(publicKey.export({ format: 'jwk' }))));
      const authenticatorData = Buffer.concat([
        head(lies.rpId ?? options.rp.id ?? '', HAS_KEY, lies),
        Buffer.alloc(16),
        Buffer.from([inside.length >> 8, inside.length & 0xff]),
        inside,
        keyBytes,
      ]);
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', lies.format ?? 'none'],
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
          clientDataJSON: clientData('webauthn.create', options.challenge, lies).toString(
            'base64url',
          ),
          transports: ['usb', 'nonsense'],
        },
      };
    },
    /** As `navigator.credentials.get` answers. */
    get(options: RequestOptions, lies: Lies = {}) {
      state.counter += 1;
      const authenticatorData = head(lies.rpId ?? options.rpId ?? '', 0, lies);
      const data = clientData('webauthn.get', options.challenge, lies);
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(data).digest()]);
      const name = lies.credentialId ?? id;
      return {
        id: name,
        rawId: name,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          authenticatorData: authenticatorData.toString('base64url'),
          clientDataJSON: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: lies.userHandle === undefined ? state.userHandle : lies.userHandle,
        },
      };
    },
  };

  function head(rpId: string, flags: number, { counter, isPresent = true }: Lies): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags | (isPresent ? USER_PRESENT : 0), 0);
    rest.writeUInt32BE(counter ?? state.counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
  }
}

export type SoftwareAuthenticator = ReturnType<typeof softwareAuthenticator>;

function clientData(type: string, challenge: string, lies: Lies): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? ORIGIN,
      crossOrigin: false,
    }),
  );
}

/** COSE: key type 2 (points of a curve), algorithm -7 (ES256), curve 1 (P-256). */
function coseKey({ x = '', y = '' }: { x?: string; y?: string }) {
  return new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]);
}
