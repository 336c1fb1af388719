import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { linkIdToken, signInIdToken } from './id-token-endpoints.ts';
import { refreshProviderTokens, takeProviderTokens } from './provider-tokens-endpoints.ts';
import { signInProvider } from './sign-in-provider.ts';
import { signInProviderCallback, signInProviderForm } from './sign-in-provider-callback.ts';

/** Sign-in with provider accounts. Newer clients use the sign-up paths, which do the same. */
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
