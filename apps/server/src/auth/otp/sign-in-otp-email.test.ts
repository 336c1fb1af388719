import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const newEmail = () => `${randomUUID()}@example.com`;

const usersAt = (email: string, at = backend) =>
  at.db.selectFrom('auth.users').selectAll().where('email', '=', email).execute();

describe.each(['/v1/auth/signin/otp/email', '/v1/auth/signup/otp/email'])('POST %s', (path) => {
  it('creates a user for an unknown address and mails a code of six digits', async () => {
    const email = newEmail();
    const options = { displayName: 'Ada', locale: 'de', metadata: { a: 1 } };
    const { status, body } = await backend.post<unknown>(path, {
      email: email.toUpperCase(),
      options,
    });
    expect([status, body]).toEqual([200, 'OK']);
    expect(backend.mails.at(-1)).toEqual({
      to: email,
      purpose: 'sign-in-code',
      displayName: 'Ada',
      locale: 'de',
      code: expect.stringMatching(/^\d{6}$/),
    });
    expect(await usersAt(email)).toMatchObject([
      { display_name: 'Ada', metadata: { a: 1 }, email_verified: false, password_hash: null },
    ]);
  });

  it('mails a code to a known address without changing its user', async () => {
    const { user } = await backend.signUp();
    const email = user.email ?? '';
    const options = { displayName: 'Another name' };
    expect((await backend.post<unknown>(path, { email, options })).body).toBe('OK');
    expect(backend.mails.at(-1)).toMatchObject({ to: email, displayName: email });
    expect(await usersAt(email)).toMatchObject([{ display_name: email }]);
  });

  it.each([
    ['no body', '', 'invalid-request'],
    ['null as address', { email: null }, 'invalid-request'],
    ['an invalid address', { email: 'nobody' }, 'invalid-request'],
    ['a list as address', { email: ['a@example.com'] }, 'invalid-request'],
    [
      'a redirect that is not allowed',
      { email: 'r@example.com', options: { redirectTo: 'https://evil.example' } },
      'redirectTo-not-allowed',
    ],
    [
      'a role that cannot be granted',
      { email: 'r@example.com', options: { allowedRoles: ['admin'] } },
      'role-not-allowed',
    ],
  ])('refuses %s and stores nothing', async (_, body, error) => {
    const before = backend.mails.length;
    expect((await backend.post(path, body)).body).toMatchObject({ status: 400, error });
    expect(backend.mails).toHaveLength(before);
    expect(await usersAt('r@example.com')).toEqual([]);
  });
});

describe('POST /signin/otp/email', () => {
  it('creates one user for simultaneous requests', async () => {
    const email = newEmail();
    const requests = [1, 2, 3].map(() => backend.post('/v1/auth/signin/otp/email', { email }));
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    expect(await usersAt(email)).toHaveLength(1);
  });

  it('stores no code in plain text', async () => {
    const email = newEmail();
    await backend.post('/v1/auth/signin/otp/email', { email });
    const { code } = backend.mails.at(-1) ?? {};
    const rows = await backend.db.selectFrom('auth.one_time_codes').selectAll().execute();
    for (const row of rows) expect(row.code_hash.toString()).not.toContain(code);
  });

  it('refuses a disabled user', async () => {
    const { user } = await backend.signUp();
    await backend.db
      .updateTable('auth.users')
      .set({ disabled: true })
      .where('id', '=', user.id)
      .execute();
    const { body } = await backend.post('/v1/auth/signin/otp/email', { email: user.email });
    expect(body).toMatchObject({ status: 401, error: 'disabled-user' });
  });

  it('deletes the new user when the mail cannot be sent', async () => {
    const mailer = { send: () => Promise.reject(new Error('The mail server is down')) };
    const broken = await startBackend({ mailer });
    const email = newEmail();
    const { status, body } = await broken.post('/v1/auth/signin/otp/email', { email });
    expect(status).toBe(500);
    expect(body).toMatchObject({ error: 'internal-server-error' });
    expect(await usersAt(email, broken)).toEqual([]);
    await broken.stop();
  });
});
