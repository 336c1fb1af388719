import { hash, verify } from '@node-rs/argon2';
import { compare } from 'bcryptjs';
import { createSemaphore } from '../concurrency/semaphore.ts';
import type { Secret } from '../secrets/secret.ts';
import { AuthProblem } from './auth-problem.ts';

/** Parameters of argon2id. `memoryCost` is in KiB. */
export type HashCost = { memoryCost: number; timeCost: number; parallelism: number };

/** OWASP's second recommendation for argon2id: 19 MiB, two passes. The work is done off the main thread. */
const RECOMMENDED_COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hashes of users imported from Nhost. */
const BCRYPT = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;
const ARGON2ID = /^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[+/A-Za-z0-9]+\$[+/A-Za-z0-9]+$/;

export type Passwords = {
  hash(password: Secret): Promise<string>;
  /** Takes the same time for an unknown account, which has no hash, as for a wrong password. */
  matches(password: Secret, passwordHash: string | null | undefined): Promise<boolean>;
  /** Whether a matching password should be hashed again with the current algorithm. */
  isOutdated(passwordHash: string): boolean;
};

/**
 * More concurrent hashes than processors would not be faster. Hashing shares the thread pool (sized in
 * `scripts/start.mjs`) with file access and DNS lookups, so some threads must stay free.
 */
export function createPasswords({
  maxConcurrent,
  cost = RECOMMENDED_COST,
}: {
  maxConcurrent: number;
  cost?: HashCost | undefined;
}): Passwords {
  const hashing = createSemaphore(maxConcurrent);
  const dummyHash = dummyHashOf(cost);
  return {
    hash: (password) => hashing.run(() => hash(password.reveal(), cost)),
    async matches(password, passwordHash) {
      if (passwordHash && BCRYPT.test(passwordHash)) {
        return await compare(password.reveal(), passwordHash);
      }
      const isArgon2id = passwordHash && ARGON2ID.test(passwordHash);
      const hashToVerify = isArgon2id ? passwordHash : dummyHash;
      const isMatch = await hashing.run(() => verify(hashToVerify, password.reveal()));
      return isMatch && Boolean(isArgon2id);
    },
    isOutdated: (passwordHash) => !ARGON2ID.test(passwordHash),
  };
}

/** No password matches this hash. Verifying it takes as long as verifying any other. */
function dummyHashOf({ memoryCost, timeCost, parallelism }: HashCost): string {
  return [
    '$argon2id$v=19',
    `m=${memoryCost},t=${timeCost},p=${parallelism}`,
    Buffer.alloc(16, 'nobody').toString('base64').replaceAll('=', ''),
    Buffer.alloc(32, 'nobody').toString('base64').replaceAll('=', ''),
  ].join('$');
}

/** Two cores compute this many hashes in a few seconds. */
const MAX_PENDING = 200;

/**
 * Refuses passwords while too many are pending. Hashing is expensive by design, so a flood of sign-ins from many
 * addresses would otherwise fill the memory with waiting requests.
 */
export function withQueueLimit(passwords: Passwords, maxPending = MAX_PENDING): Passwords {
  const pending = createSemaphore(maxPending);
  return {
    hash: (password) => runOrRefuse(() => passwords.hash(password)),
    matches: (password, passwordHash) =>
      runOrRefuse(() => passwords.matches(password, passwordHash)),
    isOutdated: passwords.isOutdated,
  };

  async function runOrRefuse<T>(work: () => Promise<T>): Promise<T> {
    const release = pending.tryAcquire();
    if (release === undefined) throw new AuthProblem('too-many-requests');
    return await work().finally(release);
  }
}
