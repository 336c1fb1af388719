import { verify } from '@node-rs/argon2';
import { answerQuestions } from '../support/answer-questions.ts';
import type { RawResult, RawSetUp } from '../support/raw-argon2.ts';

/** Verifies one password again and again; nothing else happens in this process. */
await answerQuestions(
  async ({ threads, password, passwordHash }: RawSetUp) =>
    async ({ forMs }: { forMs: number }): Promise<RawResult> => {
      const begunAt = performance.now();
      let verified = 0;
      const keepVerifying = async () => {
        while (performance.now() < begunAt + forMs) {
          if (!(await verify(passwordHash, password))) throw new Error('The hash is of another');
          verified += 1;
        }
      };
      await Promise.all(Array.from({ length: threads }, keepVerifying));
      return { verified, tookMs: performance.now() - begunAt };
    },
);
