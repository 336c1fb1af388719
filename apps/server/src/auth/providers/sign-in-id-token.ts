import { isStorable } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import type { AuthDeps } from '../deps.ts';
import { chosenFields, signUpOptions } from '../sign-up-options.ts';
import { idTokenFields, profileOfIdToken } from './id-token-body.ts';
import { signInAccount } from './sign-in-account.ts';

const Body = z.object({ ...idTokenFields, options: signUpOptions }).refine(isStorable);

/** POST /signin/idtoken. */
export async function signInIdToken(context: Context, deps: AuthDeps): Promise<Response> {
  const { options, ...given } = await jsonBody(context, Body);
  chosenFields(options, '');
  const profile = await profileOfIdToken(given, deps);
  const session = await signInAccount(context, deps, { provider: 'google', profile, options });
  return context.json({ session });
}
