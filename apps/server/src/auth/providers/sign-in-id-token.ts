import { isStorable } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import type { AuthDeps } from '../deps.ts';
import { chosenFields, signUpOptions } from '../sign-up-options.ts';
import { admitAccount } from './admit-account.ts';
import { idTokenFields, profileOfIdToken } from './id-token-body.ts';

const Body = z.object({ ...idTokenFields, options: signUpOptions }).refine(isStorable);

/** POST /signin/idtoken. */
export async function signInIdToken(context: Context, deps: AuthDeps): Promise<Response> {
  const { options, ...given } = await jsonBody(context, Body);
  chosenFields(options, '');
  const profile = await profileOfIdToken(given, deps);
  const provider = 'google';
  const user = await admitAccount(context, deps, { provider, profile, options });
  const session = await deps.sessions.open(user, context);
  await deps.audit(context, { kind: 'signed-in', userId: user.id, details: { provider } });
  return context.json({ session });
}
