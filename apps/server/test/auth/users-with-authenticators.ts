import { randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { generateSync } from 'otplib';
import { type Backend, type BackendOptions, bearer, startBackend } from '../backend.ts';

type SignedIn = { session: Session; mfa: { ticket: string } };

export type UsersWithAuthenticators = ReturnType<typeof usersWithAuthenticators>;

export async function startWithAuthenticators(options: BackendOptions = {}) {
  const backend = await startBackend(options);
  return { backend, users: usersWithAuthenticators(backend) };
}

/** Users with an authenticator app. */
export function usersWithAuthenticators(backend: Backend) {
  return {
    codeOf,
    wrongCodeOf,
    generate,
    change,
    generateRecoveryCodes,
    recoveryCodesLeft,
    signIn,
    signInMfa,
    newUser,
    activate,
    newUserWithMfa,
    newUserWithRecoveryCodes,
  };

  /** The code of the next time step, because codes are valid once. */
  function codeOf(secret: string): string {
    backend.clock.ahead += 30_000;
    return codeAfter(secret, 0);
  }

  /** A code that is invalid for the previous, current and next time step. */
  function wrongCodeOf(secret: string): string {
    const shown = [-30, 0, 30].map((seconds) => codeAfter(secret, seconds));
    return ['000000', '111111', '222222', '333333'].find((code) => !shown.includes(code)) ?? '';
  }

  function codeAfter(secret: string, seconds: number): string {
    return generateSync({ secret, epoch: Math.floor(backend.clock.now() / 1_000) + seconds });
  }

  function generate(session: Session) {
    return backend.request<{ imageUrl: string; totpSecret: string }>('/v1/auth/mfa/totp/generate', {
      headers: bearer(session),
    });
  }

  function change(session: Session, body: unknown) {
    return backend.post<unknown>('/v1/auth/user/mfa', body, bearer(session));
  }

  function generateRecoveryCodes(session: Session, code: unknown) {
    const path = '/v1/auth/mfa/recovery-codes/generate';
    return backend.post<{ recoveryCodes: string[] }>(path, { code }, bearer(session));
  }

  async function recoveryCodesLeft(session: Session): Promise<unknown> {
    const path = '/v1/auth/mfa/recovery-codes';
    return (await backend.request(path, { headers: bearer(session) })).body;
  }

  async function signIn(email: string): Promise<SignedIn> {
    const credentials = { email, password: 'correct horse' };
    return (await backend.post<SignedIn>('/v1/auth/signin/email-password', credentials)).body;
  }

  function signInMfa(ticket: unknown, otp: unknown) {
    return backend.post<SignedIn>('/v1/auth/signin/mfa/totp', { ticket, otp });
  }

  async function newUser() {
    const email = `${randomUUID()}@example.com`;
    return { email, session: await backend.signUp(email) };
  }

  /** Turns the authenticator app on and returns its secret. */
  async function activate(session: Session): Promise<string> {
    const { totpSecret } = (await generate(session)).body;
    await change(session, { code: codeOf(totpSecret), activeMfaType: 'totp' });
    return totpSecret;
  }

  async function newUserWithMfa() {
    const { email, session } = await newUser();
    return { email, session, totpSecret: await activate(session) };
  }

  async function newUserWithRecoveryCodes() {
    const user = await newUserWithMfa();
    const { body } = await generateRecoveryCodes(user.session, codeOf(user.totpSecret));
    const [recoveryCode = ''] = body.recoveryCodes;
    return { ...user, recoveryCodes: body.recoveryCodes, recoveryCode };
  }
}
