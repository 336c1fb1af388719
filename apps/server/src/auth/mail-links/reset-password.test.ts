import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { auditedKinds, linkFor } from '../../../test/auth/mail-links.ts';
import { type Backend, startBackend } from '../../../test/backend.ts';
import { createBackground } from '../background.ts';
import { respondInFixedTime } from './reset-password.ts';

const PATH = '/v1/auth/user/password/reset';
let backend: Backend;
beforeAll(async () => {
  backend = await startBackend({ settings: { requireVerifiedEmail: true } });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function createUser(email: string, values: { email_verified: boolean; disabled?: boolean }) {
  await backend.post('/v1/auth/signup/email-password', { email, password: 'correct horse' });
  return await backend.db
    .updateTable('auth.users')
    .set(values)
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirstOrThrow();
}

it('mails a link to a verified user', async () => {
  const email = 'ada@example.com';
  const { id } = await createUser(email, { email_verified: true });
  const options = { redirectTo: 'http://localhost:1337/reset' };
  const { status, body } = await backend.post(PATH, { email, options });
  expect({ status, body }).toEqual({ status: 200, body: 'OK' });
  await vi.waitFor(() =>
    expect(backend.mails.at(-1)).toMatchObject({ to: email, purpose: 'reset-password' }),
  );
  expect(Object.fromEntries(linkFor(backend, email).searchParams)).toEqual({
    type: 'passwordReset',
    ticket: expect.stringMatching(/^passwordReset:/),
    redirectTo: 'http://localhost:1337/reset',
  });
  expect(await auditedKinds(backend, id)).toContain('password-reset-asked');
});

it.each([
  ['an unknown address', 'nobody@example.com', undefined],
  ['a disabled user', 'off@example.com', { email_verified: true, disabled: true }],
  ['an unverified user', 'unverified@example.com', { email_verified: false }],
])('responds the same for %s and mails nothing', async (_, email, values) => {
  if (values !== undefined) await createUser(email, values);
  const { status, body } = await backend.post(PATH, { email });
  expect({ status, body }).toEqual({ status: 200, body: 'OK' });
  expect(
    backend.mails.filter(({ purpose, to }) => purpose === 'reset-password' && to === email),
  ).toEqual([]);
});

it('refuses a redirect that is not allowed, for known and unknown addresses', async () => {
  const options = { redirectTo: 'https://evil.example' };
  for (const email of ['ada@example.com', 'nobody@example.com']) {
    const { body } = await backend.post(PATH, { email, options });
    expect(body).toMatchObject({ status: 400, error: 'redirectTo-not-allowed' });
  }
});

function recordingBackground() {
  const errors: unknown[] = [];
  return { errors, background: createBackground({ logError: (error) => void errors.push(error) }) };
}

it('responds after a fixed time, even if the work never finishes', async () => {
  const { errors, background } = recordingBackground();
  const done: string[] = [];
  await respondInFixedTime(() => new Promise(() => {}), background);
  await respondInFixedTime(async () => void done.push('mailed'), background);
  expect(done).toEqual(['mailed']);
  expect(errors).toEqual([]);
});

it('responds as usual when the work fails, and logs the error', async () => {
  const { errors, background } = recordingBackground();
  const failure = new Error('The mail server is down');
  await respondInFixedTime(() => Promise.reject(failure), background);
  expect(errors).toEqual([failure]);
});
