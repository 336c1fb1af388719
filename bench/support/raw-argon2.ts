import { startAssistant } from './assistant.ts';
import type { Scope } from './scope.ts';

export type RawSetUp = { threads: number; password: string; passwordHash: string };
export type RawResult = { verified: number; tookMs: number };

/** Answers how many verifications a second. */
export type RawArgon2 = { run(forMs: number): Promise<number> };

/** The least a sign-in can cost: its verification alone, of the hash that the server made itself. */
export async function startRawArgon2(setUp: RawSetUp, scope: Scope): Promise<RawArgon2> {
  type Question = { forMs: number };
  const { ask } = await startAssistant<Question, RawResult>('verify-passwords.ts', setUp, scope);
  return {
    async run(forMs) {
      const { verified, tookMs } = await ask({ forMs });
      return (verified / tookMs) * 1_000;
    },
  };
}
