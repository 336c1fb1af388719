import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { linkIdToken } from './link-id-token.ts';
import { refreshProviderTokens } from './refresh-provider-tokens.ts';
import { signInIdToken } from './sign-in-id-token.ts';
import { signInProvider } from './sign-in-provider.ts';
import { signInProviderCallback, signInProviderForm } from './sign-in-provider-callback.ts';
import { takeProviderTokens } from './take-provider-tokens.ts';

/** Signing in with an account elsewhere. Newer clients sign up at addresses of their own. */
export function createProviderRoutes(deps: AuthDeps): Hono {
  return new Hono()
    .get(AUTH_PATHS.signInProvider, (context) => signInProvider(context, deps))
    .get(AUTH_PATHS.signUpProvider, (context) => signInProvider(context, deps))
    .get(AUTH_PATHS.signInProviderCallback, (context) => signInProviderCallback(context, deps))
    .post(AUTH_PATHS.signInProviderCallback, (context) => signInProviderForm(context))
    .get(AUTH_PATHS.providerTokens, (context) => takeProviderTokens(context, deps))
    .post(AUTH_PATHS.refreshProviderTokens, (context) => refreshProviderTokens(context, deps))
    .post(AUTH_PATHS.signInIdToken, (context) => signInIdToken(context, deps))
    .post(AUTH_PATHS.signUpIdToken, (context) => signInIdToken(context, deps))
    .post(AUTH_PATHS.linkIdToken, (context) => linkIdToken(context, deps));
}
