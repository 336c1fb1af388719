import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { registeredUser } from '../current-user.ts';
import type { AuthDeps } from '../deps.ts';
import { idTokenFields, profileOfIdToken } from './id-token-body.ts';
import { linkAccount } from './link-account.ts';

const Body = z.object(idTokenFields);

/** POST /link/idtoken. */
export async function linkIdToken(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await registeredUser(context, deps);
  const given = await jsonBody(context, Body);
  const profile = await profileOfIdToken(given, deps);
  await linkAccount(context, deps, { provider: 'google', profile, userId: user.id });
  return context.json('OK');
}
