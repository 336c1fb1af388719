import type { Context } from 'hono';
import { jsonBody } from '../../http/json-body.ts';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { signInResponse } from '../sessions.ts';
import { signUpFields, signUpOptions } from '../sign-up-options.ts';

/** Anonymous users cannot choose roles. */
const Body = signUpOptions
  .unwrap()
  .unwrap()
  .pick({ displayName: true, locale: true, metadata: true });

/** POST /signin/anonymous. Disabled by default. */
export async function signInAnonymous(context: Context, deps: AuthDeps): Promise<Response> {
  if (!deps.settings.anonymousSignIn) throw new AuthProblem('disabled-endpoint');
  const { displayName, locale, metadata } = signUpFields(
    await jsonBody(context, Body),
    'Anonymous User',
  );
  const user = await deps.users.insert({
    email: null,
    passwordHash: null,
    isAnonymous: true,
    displayName,
    locale,
    metadata,
  });
  if (user === undefined) throw new Error('An anonymous user conflicts with an existing one');
  await deps.audit(context, { kind: 'signed-up', userId: user.id });
  return signInResponse(context, await deps.sessions.open(context, { user, way: 'anonymous' }));
}
