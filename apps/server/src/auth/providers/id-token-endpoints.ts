import { isStorable } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { requireFreshProof } from '../proof/require-fresh-proof.ts';
import { signInResponse } from '../sessions.ts';
import { signUpFields, signUpOptions } from '../sign-up-options.ts';
import { linkAccount } from './account-links.ts';
import { type Profile, profileOfClaims } from './profile.ts';
import { resolveAccountUser } from './resolve-account-user.ts';

const ID_TOKEN_MAX_LENGTH = 20_000;

const IdTokenBody = z.object({
  provider: z.enum(['apple', 'google']),
  idToken: z.string().max(ID_TOKEN_MAX_LENGTH),
  nonce: z.string().max(500).nullish(),
});
const SignInBody = IdTokenBody.extend({ options: signUpOptions }).refine(isStorable);

/** POST /signin/idtoken. */
export async function signInIdToken(context: Context, deps: AuthDeps): Promise<Response> {
  const { options, ...idToken } = await jsonBody(context, SignInBody);
  signUpFields(options, '');
  const profile = await profileOfIdToken(idToken, deps);
  const provider = 'google';
  const { user, effects } = await resolveAccountUser(context, deps, { provider, profile, options });
  const event = { kind: 'signed-in', details: { provider } } as const;
  const opened = await deps.sessions.open(context, { user, way: 'id-token', effects, event });
  return signInResponse(context, opened);
}

/** POST /link/idtoken. */
export async function linkIdToken(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireFreshProof(context, deps);
  const profile = await profileOfIdToken(await jsonBody(context, IdTokenBody), deps);
  await linkAccount(context, deps, { provider: 'google', profile, userId: user.id });
  return context.json('OK');
}

/** The profile in an ID token. The response does not reveal why a token is invalid. */
async function profileOfIdToken(
  { provider, idToken, nonce }: z.infer<typeof IdTokenBody>,
  { providers }: Pick<AuthDeps, 'providers'>,
): Promise<Profile> {
  const issuer = providers.issuer(provider);
  if (issuer === undefined) throw new AuthProblem('disabled-endpoint');
  try {
    return profileOfClaims(await issuer.verifyIdToken(idToken, nonce ?? undefined));
  } catch (cause) {
    throw new AuthProblem('invalid-request', { cause });
  }
}
