import { AUTH_PATHS, SERVICE_PATHS, type Session } from '@longshore/contract';
import type { PublicKeyCredentialCreationOptionsJSON as CreationOptions } from '@simplewebauthn/server';
import { type Backend, bearer } from '../backend.ts';
import { createBrowser } from './providers/browser.ts';
import type { OpenidHost } from './providers/openid-host.ts';
import { softwareAuthenticator } from './software-authenticator.ts';

export type PathName = keyof typeof AUTH_PATHS;

const AUTH = SERVICE_PATHS.auth[0];

export type SignUpTargets = {
  /** Where the sign-ups are tried. */
  backend: Backend;
  /** Uses the same database and allows every sign-up. */
  local: Backend;
  /** The provider `google` of both. */
  host: OpenidHost;
  anonymous: Session;
  email: string;
};

/** Every way to create a user, by its path. Each returns the error code of its response. */
export function signUpsOf(targets: () => SignUpTargets) {
  async function post(name: PathName, body: unknown, headers?: Record<string, string>) {
    return (await targets().backend.post(`${AUTH}${AUTH_PATHS[name]}`, body, headers)).body.error;
  }

  async function signInAtProvider(name: PathName) {
    const start = `${AUTH}${AUTH_PATHS[name].replace(':provider', 'google')}`;
    return (await createBrowser(targets().backend).followRedirects(start)).searchParams.get(
      'error',
    );
  }

  async function withIdToken(name: PathName) {
    return await post(name, {
      provider: 'google',
      idToken: await targets().host.idToken(createBrowser(targets().backend)),
    });
  }

  async function verifyKey() {
    const begin = `${AUTH}${AUTH_PATHS.signUpWebauthn}`;
    const { body: options } = await targets().local.post<CreationOptions>(begin, {
      email: targets().email,
    });
    const credential = softwareAuthenticator().create(options);
    return await post('signUpWebauthnVerify', { credential });
  }

  /** A path without an entry is a compile error. */
  const signUps: Record<PathName, 'creates no user' | (() => Promise<unknown>)> = {
    signUpEmailPassword: () => post('signUpEmailPassword', { email: targets().email, password }),
    signUpWebauthn: () => post('signUpWebauthn', { email: targets().email }),
    signUpWebauthnVerify: verifyKey,
    signInAnonymous: () => post('signInAnonymous', {}),
    deanonymize: () =>
      post(
        'deanonymize',
        { signInMethod: 'email-password', email: targets().email, password },
        bearer(targets().anonymous),
      ),
    signInOtpEmail: () => post('signInOtpEmail', { email: targets().email }),
    signUpOtpEmail: () => post('signUpOtpEmail', { email: targets().email }),
    signInPasswordlessEmail: () => post('signInPasswordlessEmail', { email: targets().email }),
    signUpPasswordlessEmail: () => post('signUpPasswordlessEmail', { email: targets().email }),
    signInPasswordlessSms: () => post('signInPasswordlessSms', { phoneNumber }),
    signUpPasswordlessSms: () => post('signUpPasswordlessSms', { phoneNumber }),
    signInProvider: () => signInAtProvider('signInProvider'),
    signUpProvider: () => signInAtProvider('signUpProvider'),
    signInProviderCallback: () => signInAtProvider('signInProvider'),
    signInIdToken: () => withIdToken('signInIdToken'),
    signUpIdToken: () => withIdToken('signUpIdToken'),
    signInEmailPassword: 'creates no user',
    signInWebauthn: 'creates no user',
    signInWebauthnVerify: 'creates no user',
    signInOtpEmailVerify: 'creates no user',
    signInPasswordlessSmsOtp: 'creates no user',
    signInMfaTotp: 'creates no user',
    recoveryCodes: 'creates no user',
    generateRecoveryCodes: 'creates no user',
    signInPat: 'creates no user',
    linkIdToken: 'creates no user',
    verify: 'creates no user',
    addSecurityKey: 'creates no user',
    addSecurityKeyVerify: 'creates no user',
    elevateWebauthn: 'creates no user',
    proofStatus: 'creates no user',
    elevatePassword: 'creates no user',
    elevateTotp: 'creates no user',
    elevateOtpEmail: 'creates no user',
    elevateOtpEmailVerify: 'creates no user',
    elevateWebauthnVerify: 'creates no user',
    securityKeys: 'creates no user',
    securityKey: 'creates no user',
    createPat: 'creates no user',
    pats: 'creates no user',
    pat: 'creates no user',
    generateTotp: 'creates no user',
    changeMfa: 'creates no user',
    changePassword: 'creates no user',
    resetPassword: 'creates no user',
    changeEmail: 'creates no user',
    sendVerificationEmail: 'creates no user',
    providerTokens: 'creates no user',
    refreshProviderTokens: 'creates no user',
    token: 'creates no user',
    verifyToken: 'creates no user',
    tokenExchange: 'creates no user',
    signOut: 'creates no user',
    user: 'creates no user',
    sessions: 'creates no user',
    session: 'creates no user',
    events: 'creates no user',
    jwks: 'creates no user',
    health: 'creates no user',
    version: 'creates no user',
  };
  return Object.entries(signUps).flatMap(([name, signUp]) =>
    signUp === 'creates no user' ? [] : [[name as PathName, signUp] as const],
  );
}

const password = 'correct horse';
const phoneNumber = '+4915112345678';
