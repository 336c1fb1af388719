import { verify } from '@node-rs/argon2';
import type { RawResult, RawSetUp } from '../support/raw-argon2.ts';
import { serveRequests } from '../support/serve-requests.ts';

/** Verifies one password repeatedly; this process does nothing else. */
await serveRequests(
  async ({ threads, password, passwordHash }: RawSetUp) =>
    async ({ forMs }: { forMs: number }): Promise<RawResult> => {
      const startedAt = performance.now();
      let verified = 0;
      const keepVerifying = async () => {
        while (performance.now() < startedAt + forMs) {
          if (!(await verify(passwordHash, password)))
            throw new Error('The password does not match the hash');
          verified += 1;
        }
      };
      await Promise.all(Array.from({ length: threads }, keepVerifying));
      return { verified, tookMs: performance.now() - startedAt };
    },
);
