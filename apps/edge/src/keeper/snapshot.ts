import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type EdgeState, isEdgeState } from '@longshore/edge-contract';

const FORMAT = Buffer.from('longshore-edge-1');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** Encrypts the state with a key derived from the secret: it has the private keys of certificates. */
export function sealState(state: EdgeState, secret: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), nonce).setAAD(FORMAT);
  const body = Buffer.concat([cipher.update(JSON.stringify(state), 'utf8'), cipher.final()]);
  return Buffer.concat([FORMAT, nonce, cipher.getAuthTag(), body]);
}

/** Undefined: the file is damaged, of another format or version, or sealed with another secret. */
export function openState(sealed: Buffer, secret: Buffer): EdgeState | undefined {
  const nonceAt = FORMAT.length;
  const tagAt = nonceAt + NONCE_BYTES;
  const bodyAt = tagAt + TAG_BYTES;
  if (sealed.length < bodyAt || !sealed.subarray(0, nonceAt).equals(FORMAT)) return undefined;
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(secret), sealed.subarray(nonceAt, tagAt))
      .setAAD(FORMAT)
      .setAuthTag(sealed.subarray(tagAt, bodyAt));
    const text = Buffer.concat([decipher.update(sealed.subarray(bodyAt)), decipher.final()]);
    const state: unknown = JSON.parse(text.toString('utf8'));
    return isEdgeState(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

function keyOf(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, FORMAT, 'snapshot', 32));
}
