import { AUTH_PATHS } from '@longshore/contract';
import type { AuthResponse } from './auth-api.ts';
import type { EffectDeps } from './effect-deps.ts';
import type { SignInMethod } from './sign-in-attempt.ts';
import { methodError } from './sign-in-validation.ts';
import { withResolvedRedirect } from './url-parameters.ts';

/** Sign-in and sign-up by every method except the password; loaded on first use (spec-map 7.2). */
export async function signInByMethod(
  deps: EffectDeps,
  method: SignInMethod,
  signal: AbortSignal,
): Promise<AuthResponse> {
  const error = methodError(method);
  if (error !== undefined) return { ok: false, error };
  const post = (path: string, body?: unknown) => deps.api.post(path, { body, signal });

  switch (method.kind) {
    case 'anonymous':
      return post(AUTH_PATHS.signInAnonymous);
    case 'security-key':
      return signInByKey(deps, method.email, signal);
    case 'sign-up-security-key':
      return signUpByKey(deps, method, signal);
    case 'mfa-totp':
      return post(AUTH_PATHS.signInMfaTotp, { ticket: method.ticket, otp: method.otp });
    case 'personal-access-token':
      return post(AUTH_PATHS.signInPat, { personalAccessToken: method.personalAccessToken });
    case 'id-token': {
      const { provider, idToken, nonce } = method;
      return post(AUTH_PATHS.signInIdToken, { provider, idToken, nonce });
    }
    case 'passwordless-email':
    case 'email-otp': {
      const path =
        method.kind === 'email-otp'
          ? AUTH_PATHS.signInOtpEmail
          : AUTH_PATHS.signInPasswordlessEmail;
      return post(path, {
        email: method.email,
        options: withResolvedRedirect(method.options, deps.addressBar),
      });
    }
    case 'verify-email-otp':
      return post(AUTH_PATHS.signInOtpEmailVerify, { email: method.email, otp: method.otp });
    case 'passwordless-sms': {
      const { phoneNumber } = method;
      return post(AUTH_PATHS.signInPasswordlessSms, {
        phoneNumber,
        options: withResolvedRedirect(method.options, deps.addressBar),
      });
    }
    case 'verify-sms-otp': {
      const { phoneNumber, otp } = method;
      return post(AUTH_PATHS.signInPasswordlessSmsOtp, { phoneNumber, otp });
    }
  }
}

async function signInByKey(
  { api, securityKeys }: EffectDeps,
  email: string | undefined,
  signal: AbortSignal,
): Promise<AuthResponse> {
  const optionalEmail = email === undefined ? {} : { email };
  const challenge = await api.post(AUTH_PATHS.signInWebauthn, { body: optionalEmail, signal });
  if (!challenge.ok) return challenge;
  const proof = await securityKeys.prove(challenge.body, signal);
  if (!proof.ok) return proof;
  return api.post(AUTH_PATHS.signInWebauthnVerify, {
    body: { ...optionalEmail, credential: proof.body },
    signal,
  });
}

async function signUpByKey(
  deps: EffectDeps,
  { email, options, nickname }: Extract<SignInMethod, { kind: 'sign-up-security-key' }>,
  signal: AbortSignal,
): Promise<AuthResponse> {
  const { api, securityKeys } = deps;
  const resolved = withResolvedRedirect(options, deps.addressBar);
  const challenge = await api.post(AUTH_PATHS.signUpWebauthn, {
    body: { email, options: resolved },
    signal,
  });
  if (!challenge.ok) return challenge;
  const credential = await securityKeys.create(challenge.body, signal);
  if (!credential.ok) return credential;
  return api.post(AUTH_PATHS.signUpWebauthnVerify, {
    body: { credential: credential.body, options: { redirectTo: resolved?.redirectTo, nickname } },
    signal,
  });
}
