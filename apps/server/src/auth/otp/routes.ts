import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { signInOtpEmail } from './sign-in-otp-email.ts';
import { signInOtpEmailVerify } from './sign-in-otp-email-verify.ts';
import { signInSms } from './sign-in-sms.ts';
import { signInSmsOtp } from './sign-in-sms-otp.ts';

/** One-time codes by mail and text. To sign up is to sign in for the first time. Wire §3.7. */
export function createOtpRoutes(deps: AuthDeps): Hono {
  return new Hono()
    .post(AUTH_PATHS.signInOtpEmail, (context) => signInOtpEmail(context, deps))
    .post(AUTH_PATHS.signUpOtpEmail, (context) => signInOtpEmail(context, deps))
    .post(AUTH_PATHS.signInOtpEmailVerify, (context) => signInOtpEmailVerify(context, deps))
    .post(AUTH_PATHS.signInPasswordlessSms, (context) => signInSms(context, deps))
    .post(AUTH_PATHS.signUpPasswordlessSms, (context) => signInSms(context, deps))
    .post(AUTH_PATHS.signInPasswordlessSmsOtp, (context) => signInSmsOtp(context, deps));
}
