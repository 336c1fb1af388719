import { randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend({ settings: { requireVerifiedEmail: true } });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function requestCode(email = `${randomUUID()}@example.com`) {
  await backend.post('/v1/auth/signin/otp/email', { email });
  return { email, otp: backend.mails.at(-1)?.code ?? '' };
}

const verify = (body: unknown) =>
  backend.post<{ session: Session }>('/v1/auth/signin/otp/email/verify', body);

/** A code that was not mailed. */
const wrong = (otp: string) => String((Number(otp) + 1) % 1_000_000).padStart(6, '0');

const codesOf = (email: string) =>
  backend.db
    .selectFrom('auth.one_time_codes')
    .innerJoin('auth.users', 'auth.users.id', 'auth.one_time_codes.user_id')
    .select(['attempts', 'user_id'])
    .where('email', '=', email)
    .execute();

describe('POST /signin/otp/email/verify', () => {
  it('opens a session and verifies the address', async () => {
    const { email, otp } = await requestCode();
    const { status, body } = await verify({ email: ` ${email.toUpperCase()}`, otp });
    expect(status).toBe(200);
    expect(body.session.user).toMatchObject({ email, emailVerified: true });
  });

  it('ignores spaces between the digits', async () => {
    const { email, otp } = await requestCode();
    const entered = ` ${otp.slice(0, 3)} ${otp.slice(3)} `;
    expect((await verify({ email, otp: entered })).status).toBe(200);
  });

  it('accepts a code once', async () => {
    const { email, otp } = await requestCode();
    expect((await verify({ email, otp })).status).toBe(200);
    expect((await verify({ email, otp })).body).toEqual({
      status: 400,
      error: 'invalid-otp',
      message: 'Invalid or expired OTP',
    });
  });

  it('accepts a code once for two simultaneous attempts', async () => {
    const { email, otp } = await requestCode();
    const responses = await Promise.all([verify({ email, otp }), verify({ email, otp })]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('accepts the right code after four wrong ones', async () => {
    const { email, otp } = await requestCode();
    for (const _ of [1, 2, 3, 4])
      expect((await verify({ email, otp: wrong(otp) })).body).toMatchObject({
        error: 'invalid-otp',
      });
    expect((await verify({ email, otp })).status).toBe(200);
  });

  it('invalidates a code after five wrong attempts, until another is requested', async () => {
    const { email, otp } = await requestCode();
    for (const _ of [1, 2, 3, 4, 5]) await verify({ email, otp: wrong(otp) });
    for (const code of [otp, wrong(otp)])
      expect((await verify({ email, otp: code })).body).toEqual({
        status: 400,
        error: 'otp-too-many-attempts',
        message: 'Too many incorrect attempts, please request a new OTP',
      });
    expect((await verify(await requestCode(email))).status).toBe(200);
  });

  it('counts simultaneous attempts', async () => {
    const { email, otp } = await requestCode();
    await Promise.all(Array.from({ length: 5 }, () => verify({ email, otp: wrong(otp) })));
    expect(await codesOf(email)).toMatchObject([{ attempts: 5 }]);
  });

  it('accepts only the latest code', async () => {
    const first = await requestCode();
    const second = await requestCode(first.email);
    if (first.otp !== second.otp) expect((await verify(first)).status).toBe(400);
    expect((await verify(second)).status).toBe(200);
  });

  it('expires a code after ten minutes', async () => {
    const { email, otp } = await requestCode();
    const [code] = await codesOf(email);
    const row = await backend.db
      .selectFrom('auth.one_time_codes')
      .select('expires_at')
      .where('user_id', '=', code?.user_id ?? '')
      .executeTakeFirstOrThrow();
    expect(Math.abs(row.expires_at.getTime() - Date.now() - 600_000)).toBeLessThan(30_000);
    await backend.db
      .updateTable('auth.one_time_codes')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('user_id', '=', code?.user_id ?? '')
      .execute();
    expect((await verify({ email, otp })).body).toMatchObject({ error: 'invalid-otp' });
  });

  it('refuses a user who was disabled in the meantime', async () => {
    const { email, otp } = await requestCode();
    await backend.db
      .updateTable('auth.users')
      .set({ disabled: true })
      .where('email', '=', email)
      .execute();
    expect((await verify({ email, otp })).body).toMatchObject({ error: 'disabled-user' });
  });

  it.each([
    [
      'the code of another address',
      'invalid-otp',
      async () => {
        const { otp } = await requestCode();
        const { email, otp: own } = await requestCode();
        return { email, otp: otp === own ? wrong(own) : otp };
      },
    ],
    ['an unknown address', 'invalid-otp', () => ({ email: 'unknown@example.com', otp: '123456' })],
    ['an empty code', 'invalid-otp', async () => ({ ...(await requestCode()), otp: '' })],
    ['no code', 'invalid-request', () => ({ email: 'a@example.com', otp: null })],
    ['a number', 'invalid-request', () => ({ email: 'a@example.com', otp: 123_456 })],
    [
      'a very long text',
      'invalid-request',
      () => ({ email: 'a@example.com', otp: '1'.repeat(999) }),
    ],
    ['no address', 'invalid-request', () => ({ otp: '123456' })],
  ])('refuses %s', async (_, error, bodyOf) => {
    const body = await bodyOf();
    expect((await verify(body)).body).toMatchObject({ status: 400, error });
  });

  it('records audit events', async () => {
    const { email, otp } = await requestCode();
    await verify({ email, otp: wrong(otp) });
    const { body } = await verify({ email, otp });
    const events = await backend.db
      .selectFrom('auth.events')
      .select('kind')
      .where('user_id', '=', body.session.user.id)
      .orderBy('id')
      .execute();
    expect(events.map(({ kind }) => kind)).toEqual([
      'signed-up',
      'sign-in-code-asked',
      'sign-in-refused',
      'email-verified',
      'signed-in',
    ]);
  });
});
