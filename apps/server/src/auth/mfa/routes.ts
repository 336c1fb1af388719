import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { changeMfa } from './change-mfa.ts';
import { createCodeAttempts } from './code-attempts.ts';
import { generateTotp } from './generate-totp.ts';
import { signInMfaTotp } from './sign-in-mfa-totp.ts';

/** The second factor: TOTP codes of an authenticator app. */
export function createMfaRoutes(authDeps: AuthDeps): Hono {
  const deps = { ...authDeps, codeAttempts: createCodeAttempts(authDeps.clock) };
  return new Hono()
    .get(AUTH_PATHS.generateTotp, (context) => generateTotp(context, deps))
    .post(AUTH_PATHS.changeMfa, (context) => changeMfa(context, deps))
    .post(AUTH_PATHS.signInMfaTotp, (context) => signInMfaTotp(context, deps));
}
