import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyStore } from './key-store.ts';
import { loadSealKeys, type SealKeys } from './seal-keys.ts';
import { Secret } from './secret.ts';

/**
 * Encrypts secrets for the database and for cookies, with AES-256-GCM. The key is in the key store. A text that
 * was sealed for a context can be decrypted only in the same context, so it is useless if it is moved to another row.
 */
export type Seal = {
  encrypt(secret: Secret, context?: string): string;
  /** Throws `UnreadableSecret` if the text was modified, or sealed with another key or for another context. */
  decrypt(sealed: string, context?: string): Secret;
};

export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export async function createSeal(keys: KeyStore): Promise<Seal> {
  return sealWith(await loadSealKeys(keys));
}

export function sealWith(keys: SealKeys): Seal {
  return {
    encrypt(secret, context = '') {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keys[0], nonce);
      cipher.setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
    },
    decrypt(sealed, context = '') {
      const bytes = Buffer.from(sealed, 'base64');
      for (const key of keys) {
        const secret = tryDecrypt(bytes, { key, context });
        if (secret !== undefined) return secret;
      }
      throw new UnreadableSecret('The sealed text was modified, moved, or sealed with another key');
    },
  };
}

/** Undefined if the text was sealed with another key, for another context, or modified. */
function tryDecrypt(
  bytes: Buffer,
  { key, context }: { key: Buffer; context: string },
): Secret | undefined {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    // Without a fixed length Node accepts shorter tags, which are easier to forge; some sealed texts are cookies.
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(tag);
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return new Secret(Buffer.concat([text, decipher.final()]).toString('utf8'));
  } catch {
    return undefined;
  }
}
