import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import { deanonymize } from './anonymous/deanonymize.ts';
import { signInAnonymous } from './anonymous/sign-in-anonymous.ts';
import { tokenExchange } from './code-exchange/token-exchange.ts';
import type { AuthDeps } from './deps.ts';
import { limitRequests } from './limits/limit-requests.ts';
import { changeEmail } from './mail-links/change-email.ts';
import { changePassword } from './mail-links/change-password.ts';
import { resetPassword } from './mail-links/reset-password.ts';
import { sendVerificationEmail } from './mail-links/send-verification-email.ts';
import { signInPasswordlessEmail } from './mail-links/sign-in-passwordless-email.ts';
import { verify } from './mail-links/verify.ts';
import { createCodeAttempts } from './mfa/code-attempts.ts';
import {
  changeMfa,
  countRecoveryCodes,
  generateRecoveryCodes,
  generateTotp,
  signInMfaTotp,
} from './mfa/mfa-endpoints.ts';
import { signInOtpEmail, signInOtpEmailVerify } from './otp/sign-in-otp-email.ts';
import { signInSms, signInSmsOtp } from './otp/sign-in-sms.ts';
import { getUser, listEvents, listSessions, revokeSession } from './own-account.ts';
import { createPat, listPats, revokePat, signInPat } from './pat/pat-endpoints.ts';
import {
  elevateOtpEmail,
  elevateOtpEmailVerify,
  elevatePassword,
  elevateTotp,
  getProofStatus,
} from './proof/elevate-endpoints.ts';
import { linkIdToken, signInIdToken } from './providers/id-token-endpoints.ts';
import {
  refreshProviderTokens,
  takeProviderTokens,
} from './providers/provider-tokens-endpoints.ts';
import { signInProvider } from './providers/sign-in-provider.ts';
import {
  signInProviderCallback,
  signInProviderForm,
} from './providers/sign-in-provider-callback.ts';
import { signInEmailPassword } from './sign-in-email-password.ts';
import { signOut } from './sign-out.ts';
import { signUpEmailPassword } from './sign-up-email-password.ts';
import { refreshSession, verifyToken } from './token.ts';
import { createWebauthnDeps } from './webauthn/deps.ts';
import { elevateWebauthn, elevateWebauthnVerify } from './webauthn/elevate-webauthn.ts';
import {
  addSecurityKey,
  addSecurityKeyVerify,
  listSecurityKeys,
  removeSecurityKey,
} from './webauthn/manage-security-keys.ts';
import { signInWebauthn, signInWebauthnVerify } from './webauthn/sign-in-webauthn.ts';
import { signUpWebauthn, signUpWebauthnVerify } from './webauthn/sign-up-webauthn.ts';

/** All routes of the auth service. */
export function createAuthService(deps: AuthDeps): Hono {
  return new Hono()
    .route('/', limitRequests(deps))
    .route('/', sessionRoutes(deps))
    .route('/', messageRoutes(deps))
    .route('/', mfaRoutes(deps))
    .route('/', webauthnRoutes(deps))
    .route('/', providerRoutes(deps))
    .route('/', ownAccountRoutes(deps))
    .get(AUTH_PATHS.jwks, async (context) => context.json({ keys: await deps.keys.publicJwks() }))
    .get(AUTH_PATHS.health, (context) => context.json('OK'))
    .get(AUTH_PATHS.version, (context) => context.json({ version: deps.version }));
}

function sessionRoutes(deps: AuthDeps): Hono {
  return new Hono()
    .post(AUTH_PATHS.signUpEmailPassword, (context) => signUpEmailPassword(context, deps))
    .post(AUTH_PATHS.signInEmailPassword, (context) => signInEmailPassword(context, deps))
    .post(AUTH_PATHS.signInAnonymous, (context) => signInAnonymous(context, deps))
    .post(AUTH_PATHS.deanonymize, (context) => deanonymize(context, deps))
    .post(AUTH_PATHS.signInPat, (context) => signInPat(context, deps))
    .post(AUTH_PATHS.token, (context) => refreshSession(context, deps))
    .post(AUTH_PATHS.tokenExchange, (context) => tokenExchange(context, deps))
    .post(AUTH_PATHS.verifyToken, (context) => verifyToken(context, deps))
    .post(AUTH_PATHS.signOut, (context) => signOut(context, deps));
}

/** Links and one-time codes by mail and SMS. The sign-up paths do the same as the sign-in paths. */
function messageRoutes(deps: AuthDeps): Hono {
  return new Hono()
    .post(AUTH_PATHS.signInPasswordlessEmail, (context) => signInPasswordlessEmail(context, deps))
    .post(AUTH_PATHS.signUpPasswordlessEmail, (context) => signInPasswordlessEmail(context, deps))
    .post(AUTH_PATHS.sendVerificationEmail, (context) => sendVerificationEmail(context, deps))
    .post(AUTH_PATHS.resetPassword, (context) => resetPassword(context, deps))
    .post(AUTH_PATHS.changePassword, (context) => changePassword(context, deps))
    .post(AUTH_PATHS.changeEmail, (context) => changeEmail(context, deps))
    .get(AUTH_PATHS.verify, (context) => verify(context, deps))
    .post(AUTH_PATHS.signInOtpEmail, (context) => signInOtpEmail(context, deps))
    .post(AUTH_PATHS.signUpOtpEmail, (context) => signInOtpEmail(context, deps))
    .post(AUTH_PATHS.signInOtpEmailVerify, (context) => signInOtpEmailVerify(context, deps))
    .post(AUTH_PATHS.signInPasswordlessSms, (context) => signInSms(context, deps))
    .post(AUTH_PATHS.signUpPasswordlessSms, (context) => signInSms(context, deps))
    .post(AUTH_PATHS.signInPasswordlessSmsOtp, (context) => signInSmsOtp(context, deps));
}

/** Proofs of identity and the second factor. Wrong codes of both are counted together. */
function mfaRoutes(authDeps: AuthDeps): Hono {
  const deps = { ...authDeps, codeAttempts: createCodeAttempts(authDeps.openBuckets) };
  return new Hono()
    .get(AUTH_PATHS.proofStatus, (context) => getProofStatus(context, deps))
    .post(AUTH_PATHS.elevatePassword, (context) => elevatePassword(context, deps))
    .post(AUTH_PATHS.elevateTotp, (context) => elevateTotp(context, deps))
    .post(AUTH_PATHS.elevateOtpEmail, (context) => elevateOtpEmail(context, deps))
    .post(AUTH_PATHS.elevateOtpEmailVerify, (context) => elevateOtpEmailVerify(context, deps))
    .get(AUTH_PATHS.generateTotp, (context) => generateTotp(context, deps))
    .post(AUTH_PATHS.changeMfa, (context) => changeMfa(context, deps))
    .get(AUTH_PATHS.recoveryCodes, (context) => countRecoveryCodes(context, deps))
    .post(AUTH_PATHS.generateRecoveryCodes, (context) => generateRecoveryCodes(context, deps))
    .post(AUTH_PATHS.signInMfaTotp, (context) => signInMfaTotp(context, deps));
}

function webauthnRoutes(authDeps: AuthDeps): Hono {
  const deps = createWebauthnDeps(authDeps);
  return new Hono()
    .post(AUTH_PATHS.signUpWebauthn, (context) => signUpWebauthn(context, deps))
    .post(AUTH_PATHS.signUpWebauthnVerify, (context) => signUpWebauthnVerify(context, deps))
    .post(AUTH_PATHS.signInWebauthn, (context) => signInWebauthn(context, deps))
    .post(AUTH_PATHS.signInWebauthnVerify, (context) => signInWebauthnVerify(context, deps))
    .post(AUTH_PATHS.addSecurityKey, (context) => addSecurityKey(context, deps))
    .post(AUTH_PATHS.addSecurityKeyVerify, (context) => addSecurityKeyVerify(context, deps))
    .post(AUTH_PATHS.elevateWebauthn, (context) => elevateWebauthn(context, deps))
    .post(AUTH_PATHS.elevateWebauthnVerify, (context) => elevateWebauthnVerify(context, deps))
    .get(AUTH_PATHS.securityKeys, (context) => listSecurityKeys(context, deps))
    .delete(AUTH_PATHS.securityKey, (context) => removeSecurityKey(context, deps));
}

/** Sign-in with provider accounts. The sign-up paths do the same as the sign-in paths. */
function providerRoutes(deps: AuthDeps): Hono {
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

/** The caller's own account, sessions, events and tokens. nhost-js uses only GET /user and POST /pat. */
function ownAccountRoutes(deps: AuthDeps): Hono {
  return new Hono()
    .get(AUTH_PATHS.user, (context) => getUser(context, deps))
    .get(AUTH_PATHS.sessions, (context) => listSessions(context, deps))
    .delete(AUTH_PATHS.session, (context) => revokeSession(context, deps))
    .get(AUTH_PATHS.events, (context) => listEvents(context, deps))
    .post(AUTH_PATHS.createPat, (context) => createPat(context, deps))
    .get(AUTH_PATHS.pats, (context) => listPats(context, deps))
    .delete(AUTH_PATHS.pat, (context) => revokePat(context, deps));
}
