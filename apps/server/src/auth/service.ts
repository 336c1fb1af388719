import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { AuthDeps } from './deps.ts';
import { signInEmailPassword } from './sign-in-email-password.ts';
import { signOut } from './sign-out.ts';
import { signUpEmailPassword } from './sign-up-email-password.ts';
import { token } from './token.ts';
import { user } from './user.ts';

/** The auth service: one endpoint, one file. */
export function createAuthService(deps: AuthDeps): Hono {
  return new Hono()
    .post(AUTH_PATHS.signUpEmailPassword, (context) => signUpEmailPassword(context, deps))
    .post(AUTH_PATHS.signInEmailPassword, (context) => signInEmailPassword(context, deps))
    .post(AUTH_PATHS.token, (context) => token(context, deps))
    .post(AUTH_PATHS.signOut, (context) => signOut(context, deps))
    .get(AUTH_PATHS.user, (context) => user(context, deps))
    .get(AUTH_PATHS.jwks, (context) => context.json({ keys: [deps.keys.publicJwk] }))
    .get(AUTH_PATHS.health, (context) => context.json('OK'))
    .get(AUTH_PATHS.version, (context) => context.json({ version: deps.version }));
}
