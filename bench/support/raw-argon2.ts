import { startChildProgram } from './child-program.ts';
import type { Scope } from './scope.ts';

export type RawSetUp = { threads: number; password: string; passwordHash: string };
export type RawResult = { verified: number; tookMs: number };

/** Returns verifications per second. */
export type RawArgon2 = { run(forMs: number): Promise<number> };

/** The baseline of a sign-in: verifying the server's own hash. */
export async function startRawArgon2(setUp: RawSetUp, scope: Scope): Promise<RawArgon2> {
  type Round = { forMs: number };
  const { request } = await startChildProgram<Round, RawResult>(
    'verify-passwords.ts',
    setUp,
    scope,
  );
  return {
    async run(forMs) {
      const { verified, tookMs } = await request({ forMs });
      return (verified / tookMs) * 1_000;
    },
  };
}
