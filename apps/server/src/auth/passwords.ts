import { hash, verify } from '@node-rs/argon2';
import type { Secret } from '../secrets/secret.ts';

/** OWASP's second choice for argon2id: 19 MiB, two passes. The work is done off the main thread. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type Passwords = {
  hash(password: Secret): Promise<string>;
  /** An unknown account has no hash; it costs the same time as a wrong password. */
  matches(password: Secret, passwordHash: string | null | undefined): Promise<boolean>;
};

export async function createPasswords(): Promise<Passwords> {
  const nobodysHash = await hash('nobody has this password', PARAMETERS);
  return {
    hash: (password) => hash(password.reveal(), PARAMETERS),
    async matches(password, passwordHash) {
      const isMatch = await verify(passwordHash ?? nobodysHash, password.reveal());
      return isMatch && passwordHash !== null && passwordHash !== undefined;
    },
  };
}
