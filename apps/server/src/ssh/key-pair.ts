import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Secret } from '../secrets/secret.ts';
import { lengthPrefixed } from './wire.ts';

/** `publicKey` in OpenSSH format, as providers expect it; `privateKey` as PKCS #8. */
export type SshKeyPair = { publicKey: string; privateKey: Secret };

export const ED25519 = 'ssh-ed25519';
const RAW_KEY_BYTES = 32;

export function generateKeyPair(): SshKeyPair {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: `${ED25519} ${publicKeyBlob(privateKey).toString('base64')}`,
    privateKey: new Secret(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
  };
}

/** The public key in the SSH wire encoding (RFC 8709 §4). */
export function publicKeyBlob(privateKey: KeyObject): Buffer {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const raw = spki.subarray(-RAW_KEY_BYTES);
  return Buffer.concat([lengthPrefixed(ED25519), lengthPrefixed(raw)]);
}
