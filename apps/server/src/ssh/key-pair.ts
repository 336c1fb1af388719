import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Secret } from '../secrets/secret.ts';
import { lengthPrefixed } from './wire.ts';

/** `publicKey` as providers take it; `privateKey` as PKCS #8, which only the server itself ever reads. */
export type SshKeyPair = { publicKey: string; privateKey: Secret };

export const ED25519 = 'ssh-ed25519';
const RAW_KEY_BYTES = 32;

export function makeKeyPair(): SshKeyPair {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: `${ED25519} ${publicKeyBlob(privateKey).toString('base64')}`,
    privateKey: new Secret(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
  };
}

/** As SSH names the public half of a key. RFC 8709 §4. */
export function publicKeyBlob(privateKey: KeyObject): Buffer {
  const described = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const raw = described.subarray(-RAW_KEY_BYTES);
  return Buffer.concat([lengthPrefixed(ED25519), lengthPrefixed(raw)]);
}
