import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

const MINUTE = 60_000;

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend({ settings: { rateLimits: true } });
  const startedAt = Date.now();
  // Stands still, so that no bucket fills while a slow machine asks.
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

it('refuses the eleventh guess in JSON and says when to come back', async () => {
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

it('does not lock the person out whose password somebody else guesses', async () => {
  await backend.signUp('victim@example.com');
  await guess('victim@example.com', 12, '203.0.113.9');
  expect((await signIn('victim@example.com', 'correct horse', '192.0.2.1')).status).toBe(200);
});

it('lets the same address try again after a while', async () => {
  await backend.signUp('later@example.com');
  await guess('later@example.com', 12);
  expect((await signIn('later@example.com', 'correct horse')).status).toBe(429);
  backend.clock.ahead = MINUTE;
  expect((await signIn('later@example.com', 'correct horse')).status).toBe(200);
});

it('refuses an address that asks for mails to one account again and again', async () => {
  const ask = async () => (await post('/user/password/reset', { email: 'ada@example.com' })).status;
  for (let count = 0; count < 10; count += 1) expect(await ask()).toBe(200);
  expect(await ask()).toBe(429);
  backend.clock.ahead = 2 * MINUTE;
  expect(await ask()).toBe(429);
  backend.clock.ahead = 7 * MINUTE;
  expect(await ask()).toBe(200);
});

describe('a limit that could be gone around', () => {
  const PHONES = ['+4915112345678', '+49 151 12345678', '0049-151-12345678', '+49(151)12345678'];

  it('counts a number also where an address is named beside it', async () => {
    for (let count = 0; count < 12; count += 1) {
      const email = `nobody-${count}@example.com`;
      await post('/signin/passwordless/sms', { email, phoneNumber: '+4915112345678' });
    }
    expect(backend.texts).toHaveLength(10);
  });

  it('counts a number once, in however many ways it is written', async () => {
    for (let count = 0; count < 12; count += 1) {
      await post('/signin/passwordless/sms', { phoneNumber: PHONES[count % PHONES.length] });
    }
    expect(backend.texts).toHaveLength(10);
  });

  it('counts a mailbox once, with however many tags', async () => {
    for (let count = 0; count < 12; count += 1) {
      await post('/signin/otp/email', { email: `victim+${count}@example.com` });
    }
    expect(backend.mails).toHaveLength(10);
  });

  it('mails nobody without end, from however many addresses it is asked for', async () => {
    const ask = (from: number) =>
      post('/signin/otp/email', { email: 'victim@example.com' }, `203.0.113.${from}`);
    for (let from = 0; from < 30; from += 1) expect((await ask(from)).status).toBe(200);
    expect((await ask(31)).status).toBe(429);
    expect(backend.mails).toHaveLength(30);
  });

  it('counts the caller also where somebody else is named', async () => {
    const headers = bearer(await backend.signUp());
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const body = { email: `nobody-${count}@example.com`, code: '000000', activeMfaType: 'totp' };
      statuses.push((await post('/user/mfa', body, undefined, headers)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
  });
});

it('does not count a request that could not be read', async () => {
  for (let count = 0; count < 20; count += 1) {
    expect((await post('/signin/email-password', { email: 'ada@example.com' })).status).toBe(400);
  }
  expect((await signIn('ada@example.com', 'wrong horse')).status).toBe(401);
});

it('refuses an address that tries very many accounts', async () => {
  const tryPat = (from?: string) =>
    post('/signin/pat', { personalAccessToken: '00000000-0000-4000-8000-000000000000' }, from);
  for (let count = 0; count < 300; count += 1) expect((await tryPat()).status).toBe(401);
  expect((await tryPat()).status).toBe(429);
  expect((await tryPat('192.0.2.2')).status).toBe(401);
});

it('never refuses a refresh, which would sign people out', async () => {
  for (let count = 0; count < 350; count += 1) {
    expect((await post('/token', { refreshToken: 'no token of ours' })).status).toBe(401);
  }
});

it('does not count what the server itself failed to answer', async () => {
  const from = '198.51.100.7';
  await backend.signUp('patient@example.com');
  await backend.pool.query('alter table auth.users rename to users_away');
  expect(await guess('patient@example.com', 12, from)).toEqual(Array(12).fill(500));
  await backend.pool.query('alter table auth.users_away rename to users');
  backend.errors.length = 0;
  expect((await signIn('patient@example.com', 'correct horse', from)).status).toBe(200);
});
