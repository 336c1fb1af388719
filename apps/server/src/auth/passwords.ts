import { hash, verify } from '@node-rs/argon2';
import { compare } from 'bcryptjs';
import type { Secret } from '../secrets/secret.ts';

/** OWASP's second choice for argon2id: 19 MiB, two passes. The work is done off the main thread. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

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

export async function createPasswords(): Promise<Passwords> {
  const nobodysHash = await hash('nobody has this password', PARAMETERS);
  return {
    hash: (password) => hash(password.reveal(), PARAMETERS),
    async matches(password, passwordHash) {
      if (passwordHash && BCRYPT.test(passwordHash)) {
        return await compare(password.reveal(), passwordHash);
      }
      const isReadable = passwordHash && ARGON2ID.test(passwordHash);
      const isMatch = await verify(isReadable ? passwordHash : nobodysHash, password.reveal());
      return isMatch && Boolean(isReadable);
    },
    isOutdated: (passwordHash) => !ARGON2ID.test(passwordHash),
  };
}
