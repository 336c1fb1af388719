import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { changeEmail } from './change-email.ts';
import { changePassword } from './change-password.ts';
import { resetPassword } from './reset-password.ts';
import { sendVerificationEmail } from './send-verification-email.ts';
import { signInPasswordlessEmail } from './sign-in-passwordless-email.ts';
import { verify } from './verify.ts';

/** Links sent by mail, and the account changes that need them. */
export function createMailLinkRoutes(deps: AuthDeps): Hono {
  return new Hono()
    .post(AUTH_PATHS.signInPasswordlessEmail, (context) => signInPasswordlessEmail(context, deps))
    .post(AUTH_PATHS.signUpPasswordlessEmail, (context) => signInPasswordlessEmail(context, deps))
    .post(AUTH_PATHS.sendVerificationEmail, (context) => sendVerificationEmail(context, deps))
    .post(AUTH_PATHS.resetPassword, (context) => resetPassword(context, deps))
    .post(AUTH_PATHS.changePassword, (context) => changePassword(context, deps))
    .post(AUTH_PATHS.changeEmail, (context) => changeEmail(context, deps))
    .get(AUTH_PATHS.verify, (context) => verify(context, deps));
}
