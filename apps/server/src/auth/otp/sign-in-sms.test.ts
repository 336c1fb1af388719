import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../test-support/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

let lastNumber = 5_550_000;
const newPhoneNumber = () => `+1555${++lastNumber}`;

const usersAt = (phoneNumber: string, at = backend) =>
  at.db.selectFrom('auth.users').selectAll().where('phone_number', '=', phoneNumber).execute();

async function asked(phoneNumber = newPhoneNumber()) {
  await backend.post('/v1/auth/signin/passwordless/sms', { phoneNumber });
  return { phoneNumber, otp: backend.texts.at(-1)?.text.slice(0, 6) ?? '' };
}

const verify = (body: unknown) =>
  backend.post<{ session: Session }>('/v1/auth/signin/passwordless/sms/otp', body);

const wrong = (otp: string) => String((Number(otp) + 1) % 1_000_000).padStart(6, '0');

describe.each(['/v1/auth/signin/passwordless/sms', '/v1/auth/signup/passwordless/sms'])(
  'POST %s',
  (path) => {
    it('signs an unknown number up and texts it six digits', async () => {
      const phoneNumber = newPhoneNumber();
      const typed = `${phoneNumber.slice(0, 2)} (${phoneNumber.slice(2, 5)}) ${phoneNumber.slice(5)}`;
      const { status, body } = await backend.post<unknown>(path, { phoneNumber: typed });
      expect([status, body]).toEqual([200, 'OK']);
      expect(backend.texts.at(-1)).toEqual({
        to: phoneNumber,
        text: expect.stringMatching(
          /^\d{6} is your Longshore code\. It works once, within 5 minutes\.$/,
        ),
      });
      expect(await usersAt(phoneNumber)).toMatchObject([
        { email: null, display_name: phoneNumber, phone_number_verified: false },
      ]);
    });

    it.each([
      ['no body', '', 'invalid-request'],
      ['a number for a number', { phoneNumber: 15_550_109_999 }, 'invalid-request'],
      ['null', { phoneNumber: null }, 'invalid-request'],
      ['an empty number', { phoneNumber: '' }, 'cannot-send-sms'],
      ['a number without a country', { phoneNumber: '079 123 45 67' }, 'cannot-send-sms'],
      [
        'a role of others',
        { phoneNumber: '+15559999999', options: { defaultRole: 'admin' } },
        'default-role-must-be-in-allowed-roles',
      ],
    ])('refuses %s and sends nothing', async (_, body, error) => {
      const before = backend.texts.length;
      expect((await backend.post(path, body)).body).toMatchObject({ status: 400, error });
      expect(backend.texts).toHaveLength(before);
      expect(await usersAt('+15559999999')).toEqual([]);
    });
  },
);

describe('POST /signin/passwordless/sms', () => {
  it('says that a message could not be sent, and forgets whom it signed up', async () => {
    const texter = { send: () => Promise.reject(new Error('The gateway is down')) };
    const broken = await startBackend({ texter });
    const phoneNumber = newPhoneNumber();
    const { body } = await broken.post('/v1/auth/signin/passwordless/sms', { phoneNumber });
    expect(body).toEqual({
      status: 400,
      error: 'cannot-send-sms',
      message: 'Cannot send SMS, check your phone number is correct',
    });
    expect(await usersAt(phoneNumber, broken)).toEqual([]);
    expect(broken.errors).toEqual([new Error('The gateway is down')]);
    await broken.stop();
  });
});

describe('POST /signin/passwordless/sms/otp', () => {
  it('opens a session and verifies the number, however it is written', async () => {
    const { phoneNumber, otp } = await asked();
    const typed = phoneNumber.replace('+', '00 ');
    const { status, body } = await verify({ phoneNumber: typed, otp });
    expect(status).toBe(200);
    expect(body.session.user).toMatchObject({ phoneNumber, phoneNumberVerified: true });
    expect(body.session.user).not.toHaveProperty('email');
  });

  it('signs the same user in again', async () => {
    const first = await asked();
    const { body: before } = await verify(first);
    const { body: after } = await verify(await asked(first.phoneNumber));
    expect(after.session.user.id).toBe(before.session.user.id);
  });

  it('takes a code once, and none after five wrong attempts, with one refusal for all', async () => {
    const refusal = { status: 400, error: 'invalid-otp', message: 'Invalid or expired OTP' };
    const once = await asked();
    await verify(once);
    expect((await verify(once)).body).toEqual(refusal);
    const { phoneNumber, otp } = await asked();
    for (const _ of [1, 2, 3, 4, 5])
      expect((await verify({ phoneNumber, otp: wrong(otp) })).body).toEqual(refusal);
    expect((await verify({ phoneNumber, otp })).body).toEqual(refusal);
  });

  it('gives a code five minutes', async () => {
    const { phoneNumber, otp } = await asked();
    const [user] = await usersAt(phoneNumber);
    const code = await backend.db
      .updateTable('auth.one_time_codes')
      .set((column) => ({ expires_at: column.ref('expires_at') }))
      .where('user_id', '=', user?.id ?? '')
      .returning('expires_at')
      .executeTakeFirstOrThrow();
    expect(Math.abs(code.expires_at.getTime() - Date.now() - 300_000)).toBeLessThan(30_000);
    await backend.db
      .updateTable('auth.one_time_codes')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('user_id', '=', user?.id ?? '')
      .execute();
    expect((await verify({ phoneNumber, otp })).body).toMatchObject({ error: 'invalid-otp' });
  });

  it.each([
    ['an unknown number', { phoneNumber: '+15558888888', otp: '123456' }, 'invalid-otp'],
    ['a number that is none', { phoneNumber: 'call me', otp: '123456' }, 'invalid-otp'],
    ['no code', { phoneNumber: '+15558888888' }, 'invalid-request'],
    ['a list', { phoneNumber: ['+15558888888'], otp: '123456' }, 'invalid-request'],
  ])('refuses %s', async (_, body, error) => {
    expect((await verify(body)).body).toMatchObject({ status: 400, error });
  });
});
