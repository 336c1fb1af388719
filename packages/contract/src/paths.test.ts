import { describe, expect, it } from 'vitest';
import { connectPath } from './connect-paths.ts';
import { AUTH_PATHS, ROUTES, SERVICE_PATHS } from './paths.ts';

describe('the routes of the console', () => {
  it.each([
    [ROUTES.login, '/login'],
    [ROUTES.signup, '/signup'],
    [ROUTES.verifyEmail, '/verify-email'],
    [ROUTES.forgotPassword, '/forgot-password'],
    [ROUTES.dashboard, '/dashboard'],
    [ROUTES.projects, '/dashboard/projects'],
    [ROUTES.integrations, '/dashboard/integrations'],
    [ROUTES.profile, '/dashboard/user/profile'],
    [ROUTES.project('p-1'), '/dashboard/projects/p-1'],
    [ROUTES.app('p-1', 'a-1'), '/dashboard/projects/p-1/apps/a-1'],
  ])('are %s as in the specification', (route, specified) => {
    expect(route).toBe(specified);
  });
});

describe('the paths of the auth service', () => {
  it.each([
    [AUTH_PATHS.signUpEmailPassword, '/signup/email-password'],
    [AUTH_PATHS.signInEmailPassword, '/signin/email-password'],
    [AUTH_PATHS.signUpWebauthn, '/signup/webauthn'],
    [AUTH_PATHS.signUpWebauthnVerify, '/signup/webauthn/verify'],
    [AUTH_PATHS.signInWebauthn, '/signin/webauthn'],
    [AUTH_PATHS.signInWebauthnVerify, '/signin/webauthn/verify'],
    [AUTH_PATHS.addSecurityKey, '/user/webauthn/add'],
    [AUTH_PATHS.addSecurityKeyVerify, '/user/webauthn/verify'],
    [AUTH_PATHS.elevateWebauthn, '/elevate/webauthn'],
    [AUTH_PATHS.elevateWebauthnVerify, '/elevate/webauthn/verify'],
    [AUTH_PATHS.signInAnonymous, '/signin/anonymous'],
    [AUTH_PATHS.deanonymize, '/user/deanonymize'],
    [AUTH_PATHS.createPat, '/pat'],
    [AUTH_PATHS.signInPat, '/signin/pat'],
    [AUTH_PATHS.generateTotp, '/mfa/totp/generate'],
    [AUTH_PATHS.changeMfa, '/user/mfa'],
    [AUTH_PATHS.signInMfaTotp, '/signin/mfa/totp'],
    [AUTH_PATHS.signInOtpEmail, '/signin/otp/email'],
    [AUTH_PATHS.signUpOtpEmail, '/signup/otp/email'],
    [AUTH_PATHS.signInOtpEmailVerify, '/signin/otp/email/verify'],
    [AUTH_PATHS.signInPasswordlessSms, '/signin/passwordless/sms'],
    [AUTH_PATHS.signUpPasswordlessSms, '/signup/passwordless/sms'],
    [AUTH_PATHS.signInPasswordlessSmsOtp, '/signin/passwordless/sms/otp'],
    [AUTH_PATHS.signInPasswordlessEmail, '/signin/passwordless/email'],
    [AUTH_PATHS.signUpPasswordlessEmail, '/signup/passwordless/email'],
    [AUTH_PATHS.verify, '/verify'],
    [AUTH_PATHS.changePassword, '/user/password'],
    [AUTH_PATHS.resetPassword, '/user/password/reset'],
    [AUTH_PATHS.changeEmail, '/user/email/change'],
    [AUTH_PATHS.sendVerificationEmail, '/user/email/send-verification-email'],
    [AUTH_PATHS.signInProvider, '/signin/provider/:provider'],
    [AUTH_PATHS.signUpProvider, '/signup/provider/:provider'],
    [AUTH_PATHS.signInProviderCallback, '/signin/provider/:provider/callback'],
    [AUTH_PATHS.providerTokens, '/signin/provider/:provider/callback/tokens'],
    [AUTH_PATHS.refreshProviderTokens, '/token/provider/:provider'],
    [AUTH_PATHS.signInIdToken, '/signin/idtoken'],
    [AUTH_PATHS.signUpIdToken, '/signup/idtoken'],
    [AUTH_PATHS.linkIdToken, '/link/idtoken'],
    [AUTH_PATHS.token, '/token'],
    [AUTH_PATHS.verifyToken, '/token/verify'],
    [AUTH_PATHS.tokenExchange, '/token/exchange'],
    [AUTH_PATHS.signOut, '/signout'],
    [AUTH_PATHS.user, '/user'],
    [AUTH_PATHS.jwks, '/.well-known/jwks.json'],
    [AUTH_PATHS.health, '/healthz'],
    [AUTH_PATHS.version, '/version'],
  ])('are %s as nhost-js calls them', (path, called) => {
    expect(path).toBe(called);
  });
});

describe('the paths of the services', () => {
  it('match what nhost-js calls', () => {
    expect(SERVICE_PATHS).toEqual({
      auth: ['/v1/auth', '/auth/v1'],
      graphql: ['/v1/graphql'],
      storage: ['/v1/storage', '/storage/v1'],
      functions: ['/v1/functions', '/functions/v1'],
      connect: ['/v1/connect'],
      logs: ['/v1/logs'],
      domains: ['/v1/domains'],
      usage: ['/v1/usage'],
      isolation: ['/v1/isolation'],
      operator: ['/v1/operator'],
      apps: ['/v1/apps'],
    });
  });

  it('are not nested, so that each request has one service', () => {
    const paths = Object.values(SERVICE_PATHS).flat();
    for (const path of paths) {
      expect(paths.filter((other) => `${other}/`.startsWith(`${path}/`))).toEqual([path]);
    }
  });
});

it('encodes slashes inside a path parameter', () => {
  const parameters = { id: '7', repo: 'group/sub group/app', branch: 'feature/50%#1?' };
  expect(connectPath('refs', parameters)).toBe(
    '/integrations/7/repositories/group%2Fsub%20group%2Fapp/branches/feature%2F50%25%231%3F/refs',
  );
});

it('fills no parameters where the path has none', () => {
  expect(connectPath('oauthTickets', {})).toBe('/oauth/tickets');
});
