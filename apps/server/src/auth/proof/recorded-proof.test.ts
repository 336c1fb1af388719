import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => stopWithoutErrors(backend));

const proofOf = ({ refreshTokenId }: Session) =>
  backend.db
    .selectFrom('auth.refresh_tokens')
    .select(['proved_at', 'proved_by'])
    .where('id', '=', refreshTokenId)
    .executeTakeFirstOrThrow();

async function post(path: string, body: unknown, headers = {}) {
  const response = await backend.post<{ session: Session }>(`/v1/auth${path}`, body, headers);
  expect(response.status).toBe(200);
  return response.body.session;
}

const email = 'ada@example.com';

/** Ways to open a session, in an order in which each one works. */
const SIGN_INS: [provedBy: string, signIn: () => Promise<Session>][] = [
  ['sign-up', () => backend.signUp(email)],
  ['password', () => post('/signin/email-password', { email, password: 'correct horse' })],
  ['anonymous', () => post('/signin/anonymous', '')],
  ['email-code', signInByMail],
  ['sms-code', signInBySms],
  ['personal-access-token', signInByToken],
];

it.each(SIGN_INS)('records when and how a session was opened: %s', async (provedBy, signIn) => {
  const session = await signIn();
  const proof = await proofOf(session);
  expect(proof.proved_by).toBe(provedBy);
  expect(Math.abs((proof.proved_at?.getTime() ?? 0) - Date.now())).toBeLessThan(30_000);
});

it('keeps the proof when the session is refreshed', async () => {
  const session = await backend.signUp();
  const before = await proofOf(session);
  backend.clock.ahead = 300_000;
  const { refreshToken } = session;
  const refreshed = await backend.post<Session>('/v1/auth/token', { refreshToken });
  backend.clock.ahead = 0;
  expect(refreshed.status).toBe(200);
  expect(await proofOf(refreshed.body)).toEqual(before);
});

async function signInByMail(): Promise<Session> {
  await backend.post('/v1/auth/signin/otp/email', { email });
  return await post('/signin/otp/email/verify', { email, otp: backend.mails.at(-1)?.code });
}

async function signInBySms(): Promise<Session> {
  const phoneNumber = '+15555550100';
  await backend.post('/v1/auth/signin/passwordless/sms', { phoneNumber });
  const otp = backend.texts.at(-1)?.text.slice(0, 6);
  return await post('/signin/passwordless/sms/otp', { phoneNumber, otp });
}

async function signInByToken(): Promise<Session> {
  const { body } = await backend.post<{ personalAccessToken: string }>(
    '/v1/auth/pat',
    { expiresAt: '2099-01-01T00:00:00Z' },
    bearer(await backend.signUp()),
  );
  return await post('/signin/pat', body);
}
