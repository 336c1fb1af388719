import { createHmac } from 'node:crypto';
import { generateReadableCode, normalizeReadableCode } from '../../secrets/readable-code.ts';
import type { Secret } from '../../secrets/secret.ts';

const COUNT = 10;

export type RecoveryCodes = {
  /** New codes, which are shown once, and their hashes, which are stored. */
  generate(userId: string): { codes: Secret[]; hashes: Buffer[] };
  /** Undefined if the text does not have the format of a recovery code. */
  hashOf(userId: string, entered: Secret): Buffer | undefined;
};

/**
 * Codes of sixty random bits need no slow hash. The hash is keyed, and the key is not in the database. Nobody can
 * choose a hash, so the time of comparing hashes in the database discloses nothing (decision 59).
 */
export function createRecoveryCodes(
  key: Secret,
  randomBytes: (count: number) => Uint8Array,
): RecoveryCodes {
  return {
    generate(userId) {
      const codes = Array.from({ length: COUNT }, () => generateReadableCode(randomBytes));
      const hashes = codes.map((code) => hash(userId, code.reveal().replaceAll('-', '')));
      return { codes, hashes };
    },
    hashOf(userId, entered) {
      const symbols = normalizeReadableCode(entered);
      return symbols === undefined ? undefined : hash(userId, symbols);
    },
  };

  function hash(userId: string, symbols: string): Buffer {
    return createHmac('sha256', key.reveal())
      .update(JSON.stringify(['recovery-code', userId, symbols]))
      .digest();
  }
}
