import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { signInOtpEmail, signInOtpEmailVerify } from './sign-in-otp-email.ts';
import { signInSms, signInSmsOtp } from './sign-in-sms.ts';

/** One-time codes by mail and SMS. The sign-up paths do the same as the sign-in paths. */
export function createOtpRoutes(deps: AuthDeps): Hono {
  return new Hono()
    .post(AUTH_PATHS.signInOtpEmail, (context) => signInOtpEmail(context, deps))
    .post(AUTH_PATHS.signUpOtpEmail, (context) => signInOtpEmail(context, deps))
    .post(AUTH_PATHS.signInOtpEmailVerify, (context) => signInOtpEmailVerify(context, deps))
    .post(AUTH_PATHS.signInPasswordlessSms, (context) => signInSms(context, deps))
    .post(AUTH_PATHS.signUpPasswordlessSms, (context) => signInSms(context, deps))
    .post(AUTH_PATHS.signInPasswordlessSmsOtp, (context) => signInSmsOtp(context, deps));
}
