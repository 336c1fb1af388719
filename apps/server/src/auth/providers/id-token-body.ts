import { z } from 'zod';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import type { Profile } from './provider.ts';

const ID_TOKEN_MAX_LENGTH = 20_000;

/** What both endpoints of ID tokens take. */
export const idTokenFields = {
  provider: z.enum(['apple', 'google']),
  idToken: z.string().max(ID_TOKEN_MAX_LENGTH),
  nonce: z.string().max(500).nullish(),
};

type Given = { provider: 'apple' | 'google'; idToken: string; nonce?: string | null | undefined };

/** Whom an ID token speaks of. What is wrong with a bad one is not told. */
export async function profileOfIdToken(
  { provider, idToken, nonce }: Given,
  { providers }: Pick<AuthDeps, 'providers'>,
): Promise<Profile> {
  const idTokens = providers.idTokens(provider);
  if (idTokens === undefined) throw new AuthProblem('disabled-endpoint');
  return await idTokens.verify(idToken, nonce ?? undefined).catch((cause) => {
    throw new AuthProblem('invalid-request', { cause });
  });
}
