import { AUTH_PATHS, type AuthErrorCode, authError, type Session } from '@longshore/contract';

export const FAKE_MFA_TICKET = 'mfaTotp:11111111-1111-4111-8111-111111111111';
/** The only one-time code that the fake accepts. */
export const FAKE_OTP = '123456';

/** The only password that proves an identity. */
export const FAKE_PASSWORD = 'correct horse';

type Body = Record<string, unknown>;
type OpenSession = (email?: string, isAnonymous?: boolean) => Session;

/** Sign-in methods that need no stored account: the right code, token or credential opens a session. */
export function fakeAuthMethods(openSession: OpenSession, requireSecondFactor = false) {
  const session = (email?: string) => Response.json({ session: openSession(email) });
  const firstFactor = (email?: string) =>
    requireSecondFactor ? Response.json({ mfa: { ticket: FAKE_MFA_TICKET } }) : session(email);
  const withCode = (code: AuthErrorCode, open: typeof session) => (body: Body) =>
    body.otp === FAKE_OTP ? open(emailOf(body)) : refused(code);
  const ok = () => Response.json('OK');
  const challenge = () => Response.json({ challenge: 'challenge-1' });
  const providerSession = () =>
    Response.json({
      accessToken: 'provider-token',
      expiresIn: 60,
      expiresAt: '2025-01-01T00:01:00.000Z',
    });
  const verified = (body: Body) =>
    body.credential === undefined ? refused('invalid-request') : firstFactor(emailOf(body));

  const responses: Record<string, (body: Body) => Response> = {
    [AUTH_PATHS.signInAnonymous]: () =>
      Response.json({ session: openSession('anonymous@example.com', true) }),
    [AUTH_PATHS.signInMfaTotp]: withCode('invalid-totp', session),
    [AUTH_PATHS.signInPat]: (body) =>
      body.personalAccessToken === 'pat-1' ? session() : refused('invalid-pat'),
    [AUTH_PATHS.signInIdToken]: (body) =>
      body.idToken === 'id-token-1' ? firstFactor() : refused('invalid-request'),
    [AUTH_PATHS.signInPasswordlessEmail]: ok,
    [AUTH_PATHS.signInPasswordlessSms]: ok,
    [AUTH_PATHS.signInPasswordlessSmsOtp]: withCode('invalid-otp', firstFactor),
    [AUTH_PATHS.signInOtpEmail]: ok,
    [AUTH_PATHS.signInOtpEmailVerify]: withCode('invalid-otp', firstFactor),
    [AUTH_PATHS.signInWebauthn]: challenge,
    [AUTH_PATHS.signInWebauthnVerify]: verified,
    [AUTH_PATHS.signUpWebauthn]: challenge,
    [AUTH_PATHS.signUpWebauthnVerify]: verified,
    [AUTH_PATHS.elevateWebauthn]: challenge,
    [AUTH_PATHS.elevateWebauthnVerify]: (body) => (body.keepSession ? ok() : verified(body)),
    [AUTH_PATHS.proofStatus]: () => Response.json({ isFresh: false, options: ['password'] }),
    [AUTH_PATHS.elevatePassword]: (body) =>
      body.password === FAKE_PASSWORD ? ok() : refused('incorrect-password'),
    [AUTH_PATHS.elevateTotp]: (body) => (body.otp === FAKE_OTP ? ok() : refused('invalid-totp')),
    [AUTH_PATHS.elevateOtpEmail]: ok,
    [AUTH_PATHS.elevateOtpEmailVerify]: (body) =>
      body.otp === FAKE_OTP ? ok() : refused('invalid-otp'),
    [AUTH_PATHS.addSecurityKey]: challenge,
    [AUTH_PATHS.addSecurityKeyVerify]: (body) =>
      Response.json({ id: 'key-1', nickname: body.nickname }),
    [AUTH_PATHS.changeEmail]: ok,
    [AUTH_PATHS.changePassword]: ok,
    [AUTH_PATHS.resetPassword]: ok,
    [AUTH_PATHS.sendVerificationEmail]: ok,
    [AUTH_PATHS.linkIdToken]: ok,
    [AUTH_PATHS.generateTotp]: () =>
      Response.json({ imageUrl: 'data:image/png;base64,', totpSecret: 'SECRET' }),
    [AUTH_PATHS.changeMfa]: (body) => (body.code === FAKE_OTP ? ok() : refused('invalid-totp')),
    [AUTH_PATHS.recoveryCodes]: () => Response.json({ left: 10 }),
    [AUTH_PATHS.generateRecoveryCodes]: (body) =>
      body.code === FAKE_OTP
        ? Response.json({ recoveryCodes: ['2345-6789-ABCD', 'EFGH-JKLM-NPQR'] })
        : refused('invalid-totp'),
    [AUTH_PATHS.providerTokens]: providerSession,
    [AUTH_PATHS.refreshProviderTokens]: providerSession,
    [AUTH_PATHS.createPat]: () => Response.json({ id: 'pat-id-1', personalAccessToken: 'pat-1' }),
  };
  return (path: string, body: Body): Response | undefined => responses[path]?.(body);
}

function emailOf({ email }: Body): string | undefined {
  return typeof email === 'string' ? email : undefined;
}

function refused(code: AuthErrorCode): Response {
  const error = authError(code);
  return Response.json(error, { status: error.status });
}
