import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import { deanonymize } from './anonymous/deanonymize.ts';
import { signInAnonymous } from './anonymous/sign-in-anonymous.ts';
import { tokenExchange } from './code-exchange/token-exchange.ts';
import type { AuthDeps } from './deps.ts';
import { limitRequests } from './limits/limit-requests.ts';
import { createMailLinkRoutes } from './mail-links/routes.ts';
import { createMfaRoutes } from './mfa/routes.ts';
import { createOtpRoutes } from './otp/routes.ts';
import { createOwnAccountRoutes } from './own-account.ts';
import { createPatRoutes } from './pat/pat-endpoints.ts';
import { createProviderRoutes } from './providers/routes.ts';
import { signInEmailPassword } from './sign-in-email-password.ts';
import { signOut } from './sign-out.ts';
import { signUpEmailPassword } from './sign-up-email-password.ts';
import { token, verifyToken } from './token.ts';
import { createWebauthnRoutes } from './webauthn/routes.ts';

/** The routes of the auth service. */
export function createAuthService(deps: AuthDeps): Hono {
  return new Hono()
    .route('/', limitRequests(deps))
    .post(AUTH_PATHS.signUpEmailPassword, (context) => signUpEmailPassword(context, deps))
    .post(AUTH_PATHS.signInEmailPassword, (context) => signInEmailPassword(context, deps))
    .post(AUTH_PATHS.token, (context) => token(context, deps))
    .post(AUTH_PATHS.tokenExchange, (context) => tokenExchange(context, deps))
    .post(AUTH_PATHS.verifyToken, (context) => verifyToken(context, deps))
    .post(AUTH_PATHS.signOut, (context) => signOut(context, deps))
    .post(AUTH_PATHS.signInAnonymous, (context) => signInAnonymous(context, deps))
    .post(AUTH_PATHS.deanonymize, (context) => deanonymize(context, deps))
    .route('/', createMailLinkRoutes(deps))
    .route('/', createOtpRoutes(deps))
    .route('/', createMfaRoutes(deps))
    .route('/', createWebauthnRoutes(deps))
    .route('/', createProviderRoutes(deps))
    .route('/', createOwnAccountRoutes(deps))
    .route('/', createPatRoutes(deps))
    .get(AUTH_PATHS.jwks, (context) => context.json({ keys: deps.keys.publicJwks() }))
    .get(AUTH_PATHS.health, (context) => context.json('OK'))
    .get(AUTH_PATHS.version, (context) => context.json({ version: deps.version }));
}
