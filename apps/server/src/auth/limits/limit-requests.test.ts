import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const MINUTE = 60_000;

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend({ settings: { rateLimits: true } });
  const startedAt = Date.now();
  // The clock is fixed, so that no bucket refills while a slow machine sends requests.
  backend.clock.now = () => startedAt + backend.clock.ahead;
});
afterEach(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function post(
  path: string,
  body: unknown,
  from = '192.0.2.1',
  headers = {},
): Promise<Response> {
  const request = { method: 'POST', body: JSON.stringify(body), headers };
  const socket = { incoming: { socket: { remoteAddress: from } } };
  return await backend.app.request(`/v1/auth${path}`, request, socket);
}

const signIn = (email: string, password: string, from?: string) =>
  post('/signin/email-password', { email, password }, from);

async function guess(email: string, times: number, from?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) {
    statuses.push((await signIn(email, 'wrong horse', from)).status);
  }
  return statuses;
}

it('responds to the eleventh guess with 429 and a retry-after header', async () => {
  expect(await guess('ada@example.com', 10)).toEqual(Array(10).fill(401));
  const refused = await signIn('ADA@example.com', 'wrong horse');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(30);
  expect(await refused.json()).toEqual({
    status: 429,
    error: 'too-many-requests',
    message: 'Too many requests, please try again later',
  });
});

it('does not lock out a user whose password is guessed from another IP address', async () => {
  await backend.signUp('victim@example.com');
  await guess('victim@example.com', 12, '203.0.113.9');
  expect((await signIn('victim@example.com', 'correct horse', '192.0.2.1')).status).toBe(200);
});

it('allows another attempt from the same IP address after a minute', async () => {
  await backend.signUp('later@example.com');
  await guess('later@example.com', 12);
  expect((await signIn('later@example.com', 'correct horse')).status).toBe(429);
  backend.clock.ahead = MINUTE;
  expect((await signIn('later@example.com', 'correct horse')).status).toBe(200);
});

it('limits mails to one account requested from one IP address', async () => {
  const requestMail = async () =>
    (await post('/user/password/reset', { email: 'ada@example.com' })).status;
  for (let count = 0; count < 10; count += 1) expect(await requestMail()).toBe(200);
  expect(await requestMail()).toBe(429);
  backend.clock.ahead = 2 * MINUTE;
  expect(await requestMail()).toBe(429);
  backend.clock.ahead = 7 * MINUTE;
  expect(await requestMail()).toBe(200);
});

describe('attempts to get around a limit', () => {
  const PHONES = ['+4915112345678', '+49 151 12345678', '0049-151-12345678', '+49(151)12345678'];

  it('counts a phone number even with an e-mail address in the same body', async () => {
    for (let count = 0; count < 12; count += 1) {
      const email = `nobody-${count}@example.com`;
      await post('/signin/passwordless/sms', { email, phoneNumber: '+4915112345678' });
    }
    expect(backend.texts).toHaveLength(10);
  });

  it('counts all formats of a phone number as one', async () => {
    for (let count = 0; count < 12; count += 1) {
      await post('/signin/passwordless/sms', { phoneNumber: PHONES[count % PHONES.length] });
    }
    expect(backend.texts).toHaveLength(10);
  });

  it('counts all +tag addresses of a mailbox as one', async () => {
    for (let count = 0; count < 12; count += 1) {
      await post('/signin/otp/email', { email: `victim+${count}@example.com` });
    }
    expect(backend.mails).toHaveLength(10);
  });

  it('limits mails to one account from all IP addresses together', async () => {
    const requestCode = (from: number) =>
      post('/signin/otp/email', { email: 'victim@example.com' }, `203.0.113.${from}`);
    for (let from = 0; from < 30; from += 1) expect((await requestCode(from)).status).toBe(200);
    expect((await requestCode(31)).status).toBe(429);
    expect(backend.mails).toHaveLength(30);
  });

  it('counts the caller even if the body contains another account', async () => {
    const headers = bearer(await backend.signUp());
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const body = { email: `nobody-${count}@example.com`, code: '000000', activeMfaType: 'totp' };
      statuses.push((await post('/user/mfa', body, undefined, headers)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
  });
});

it('does not count invalid requests', async () => {
  for (let count = 0; count < 20; count += 1) {
    expect((await post('/signin/email-password', { email: 'ada@example.com' })).status).toBe(400);
  }
  expect((await signIn('ada@example.com', 'wrong horse')).status).toBe(401);
});

it('does not count valid passwords as guesses', async () => {
  await backend.signUp('often@example.com');
  for (let count = 0; count < 12; count += 1)
    expect((await signIn('often@example.com', 'correct horse')).status).toBe(200);
});

it('keeps codes usable when the password is guessed from the same IP address', async () => {
  const email = 'victim@example.com';
  await backend.signUp(email);
  await guess(email, 12);
  await post('/signin/otp/email', { email });
  const otp = backend.mails.at(-1)?.code;
  expect((await post('/signin/otp/email/verify', { email, otp })).status).toBe(200);
});

it('does not count refused requests for one account against other accounts', async () => {
  for (let count = 0; count < 350; count += 1)
    await post('/user/password/reset', { email: 'x@example.com', options: { redirectTo: 'evil' } });
  expect((await post('/user/password/reset', { email: 'ada@example.com' })).status).toBe(200);
});

it('never limits token refreshes, because a refusal would sign users out', async () => {
  for (let count = 0; count < 350; count += 1) {
    expect((await post('/token', { refreshToken: 'an unknown token' })).status).toBe(401);
  }
});

it('does not count server errors', async () => {
  const from = '198.51.100.7';
  await backend.signUp('steady@example.com');
  await backend.pool.query('alter table auth.users rename to users_renamed');
  expect(await guess('steady@example.com', 12, from)).toEqual(Array(12).fill(500));
  await backend.pool.query('alter table auth.users_renamed rename to users');
  backend.errors.length = 0;
  expect((await signIn('steady@example.com', 'correct horse', from)).status).toBe(200);
});
