import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import type { PublicKeyCredentialCreationOptionsJSON as CreationOptions } from '@simplewebauthn/server';
import type { SignInWay } from '../../src/auth/sign-in-ways.ts';
import { type Backend, bearer } from '../backend.ts';
import { follow, linkFor } from './mail-links.ts';
import { createBrowser } from './providers/browser.ts';
import type { OpenidHost } from './providers/openid-host.ts';
import { requestSignature } from './security-key-account.ts';
import { type ResponseOverrides, softwareAuthenticator } from './software-authenticator.ts';
import type { UsersWithAuthenticators } from './users-with-authenticators.ts';

/** The body of a response, or the parameters of a redirect. */
export type SignInAnswer = Record<string, unknown>;

export type Account = { email: string; session: Session; totpSecret: string };

/** Prepares an account without a second factor and returns the request that signs in. */
type Scenario = (account: Omit<Account, 'totpSecret'>) => Promise<() => Promise<SignInAnswer>>;

type ScenarioDeps = { backend: Backend; users: UsersWithAuthenticators; google: OpenidHost };

export const PASSWORD = 'correct horse';

export function newCodePair() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** One scenario for each way to sign in to an existing account; a new way without one does not compile. */
export function signInScenarios({ backend, google }: ScenarioDeps) {
  const post = async (path: string, body: unknown, session?: Session): Promise<SignInAnswer> =>
    (await backend.post<SignInAnswer>(`/v1/auth${path}`, body, session && bearer(session))).body;

  const followMail = async (to: string): Promise<SignInAnswer> =>
    (await follow(backend, linkFor(backend, to))).parameters;

  const scenarios: Record<
    Exclude<SignInWay, 'sign-up' | 'anonymous' | 'deanonymize' | 'totp' | 'recovery-code'>,
    Scenario
  > = {
    async password({ email }) {
      return () => post('/signin/email-password', { email, password: PASSWORD });
    },
    async 'email-code'({ email }) {
      await post('/signin/otp/email', { email });
      const otp = backend.mails.findLast((mail) => mail.to === email)?.code;
      return () => post('/signin/otp/email/verify', { email, otp });
    },
    async 'sms-code'({ session }) {
      const phoneNumber = `+4915${String(Math.random()).slice(2, 11)}`;
      await backend.db
        .updateTable('auth.users')
        .set({ phone_number: phoneNumber, phone_number_verified: true })
        .where('id', '=', session.user.id)
        .execute();
      await post('/signin/passwordless/sms', { phoneNumber });
      const otp = /\d{6}/.exec(backend.texts.at(-1)?.text ?? '')?.[0];
      return () => post('/signin/passwordless/sms/otp', { phoneNumber, otp });
    },
    async 'id-token'({ email }) {
      signInAtGoogle(email);
      const idToken = await google.idToken(createBrowser(backend));
      return () => post('/signin/idtoken', { provider: 'google', idToken });
    },
    async provider({ email }) {
      signInAtGoogle(email);
      return async () => {
        const end = await createBrowser(backend).followRedirects('/v1/auth/signin/provider/google');
        return Object.fromEntries(end.searchParams);
      };
    },
    async verifyEmail({ email }) {
      await post('/user/email/send-verification-email', { email });
      return () => followMail(email);
    },
    async passwordlessEmail({ email }) {
      await post('/signin/passwordless/email', { email });
      return () => followMail(email);
    },
    async passwordReset({ email }) {
      await post('/user/password/reset', { email });
      return () => followMail(email);
    },
    async emailConfirmChange({ session }) {
      const newEmail = `${randomUUID()}@example.com`;
      await post('/user/email/change', { newEmail }, session);
      return () => followMail(newEmail);
    },
    async 'code-exchange'({ email }) {
      const { verifier, challenge } = newCodePair();
      await post('/signin/passwordless/email', { email, codeChallenge: challenge });
      const { code } = await followMail(email);
      return () => post('/token/exchange', { code, codeVerifier: verifier });
    },
    'security-key': signInWithKey({ isUserVerified: false }),
    'verified-security-key': signInWithKey({ isUserVerified: true }),
    elevation: elevate({ isUserVerified: false }),
    'verified-elevation': elevate({ isUserVerified: true }),
    async 'personal-access-token'({ session }) {
      const expiresAt = new Date(Date.now() + 86_400_000_000).toISOString();
      const { personalAccessToken } = await post('/pat', { expiresAt }, session);
      return () => post('/signin/pat', { personalAccessToken });
    },
  };
  return { scenarios, signInAtGoogle, addKey, post, followMail };

  function signInWithKey(overrides: ResponseOverrides): Scenario {
    return async ({ session }) => {
      const key = await addKey(session);
      return async () => {
        const credential = key.get(await requestSignature(backend), overrides);
        return await post('/signin/webauthn/verify', { credential });
      };
    };
  }

  function elevate(overrides: ResponseOverrides): Scenario {
    return async ({ session }) => {
      const key = await addKey(session);
      return async () => {
        const request = { path: '/v1/auth/elevate/webauthn', headers: bearer(session) };
        const credential = key.get(await requestSignature(backend, '', request), overrides);
        return await post('/elevate/webauthn/verify', { credential }, session);
      };
    };
  }

  function signInAtGoogle(email: string): string {
    const id = randomUUID();
    google.behaviour.person = { id, name: 'Ada', email, isVerified: true };
    return id;
  }

  async function addKey(session: Session) {
    const key = softwareAuthenticator();
    const { body } = await backend.post<CreationOptions>(
      '/v1/auth/user/webauthn/add',
      {},
      bearer(session),
    );
    await post('/user/webauthn/verify', { credential: key.create(body) }, session);
    return key;
  }
}
