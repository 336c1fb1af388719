import { hash, verify } from '@node-rs/argon2';
import { compare } from 'bcryptjs';
import { createSemaphore } from '../concurrency/semaphore.ts';
import type { Secret } from '../secrets/secret.ts';

/** OWASP's second choice for argon2id: 19 MiB, two passes. The work is done off the main thread. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Nobody has the password of this hash. To verify it costs what every other costs. */
const NOBODYS_HASH = [
  '$argon2id$v=19',
  `m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}`,
  Buffer.alloc(16, 'nobody').toString('base64').replaceAll('=', ''),
  Buffer.alloc(32, 'nobody').toString('base64').replaceAll('=', ''),
].join('$');

/** The hashes of users imported from Nhost. */
const BCRYPT = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;
const ARGON2ID = /^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[+/A-Za-z0-9]+\$[+/A-Za-z0-9]+$/;

export type Passwords = {
  hash(password: Secret): Promise<string>;
  /** An unknown account has no hash; it costs the same time as a wrong password. */
  matches(password: Secret, passwordHash: string | null | undefined): Promise<boolean>;
  /** Whether a password that matched should be hashed anew. */
  isOutdated(passwordHash: string): boolean;
};

/**
 * More at once than there are processors would be no faster. Files and names are looked up on the same threads
 * (`scripts/start.mjs` says how many there are), and must find some of them free.
 */
export function createPasswords({ atOnce }: { atOnce: number }): Passwords {
  const hashing = createSemaphore(atOnce);
  return {
    hash: (password) => hashing.run(() => hash(password.reveal(), PARAMETERS)),
    async matches(password, passwordHash) {
      if (passwordHash && BCRYPT.test(passwordHash)) {
        return await compare(password.reveal(), passwordHash);
      }
      const isReadable = passwordHash && ARGON2ID.test(passwordHash);
      const verified = isReadable ? passwordHash : NOBODYS_HASH;
      const isMatch = await hashing.run(() => verify(verified, password.reveal()));
      return isMatch && Boolean(isReadable);
    },
    isOutdated: (passwordHash) => !ARGON2ID.test(passwordHash),
  };
}
