import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { loadSealKeys, type SealKeys } from './seal-keys.ts';
import { Secret } from './secret.ts';

/** Encrypts secrets for the database and for cookies, with AES-256-GCM. The key is stored in the data directory. */
export type Seal = {
  encrypt(secret: Secret): string;
  /** Throws if the text was modified or sealed with another key. */
  decrypt(sealed: string): Secret;
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export async function createSeal(keysFolder: string): Promise<Seal> {
  return sealWith(await loadSealKeys(keysFolder));
}

export function sealWith(keys: SealKeys): Seal {
  return {
    encrypt(secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keys[0], nonce);
      const text = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      for (const key of keys) {
        const secret = tryDecrypt(bytes, key);
        if (secret !== undefined) return secret;
      }
      throw new Error('The sealed text was modified, or sealed with another key');
    },
  };
}

/** Undefined if the text was sealed with another key or modified. */
function tryDecrypt(bytes: Buffer, key: Buffer): Secret | undefined {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    // Without a fixed length Node accepts shorter tags, which are easier to forge; some sealed texts are cookies.
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(tag);
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return new Secret(Buffer.concat([text, decipher.final()]).toString('utf8'));
  } catch {
    return undefined;
  }
}
