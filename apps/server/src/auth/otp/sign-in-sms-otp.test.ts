import type { Session } from '@longshore/contract';
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

let lastNumber = 5_550_000;
const newPhoneNumber = () => `+1555${++lastNumber}`;

const usersAt = (phoneNumber: string) =>
  backend.db.selectFrom('auth.users').selectAll().where('phone_number', '=', phoneNumber).execute();

async function requestCode(phoneNumber = newPhoneNumber()) {
  await backend.post('/v1/auth/signin/passwordless/sms', { phoneNumber });
  return { phoneNumber, otp: backend.texts.at(-1)?.text.slice(0, 6) ?? '' };
}

const verify = (body: unknown) =>
  backend.post<{ session: Session }>('/v1/auth/signin/passwordless/sms/otp', body);

const wrong = (otp: string) => String((Number(otp) + 1) % 1_000_000).padStart(6, '0');

describe('POST /signin/passwordless/sms/otp', () => {
  it('opens a session and verifies the phone number, in any format', async () => {
    const { phoneNumber, otp } = await requestCode();
    const entered = phoneNumber.replace('+', '00 ');
    const { status, body } = await verify({ phoneNumber: entered, otp });
    expect(status).toBe(200);
    expect(body.session.user).toMatchObject({ phoneNumber, phoneNumberVerified: true });
    expect(body.session.user).not.toHaveProperty('email');
  });

  it('signs the same user in again', async () => {
    const first = await requestCode();
    const { body: before } = await verify(first);
    const { body: after } = await verify(await requestCode(first.phoneNumber));
    expect(after.session.user.id).toBe(before.session.user.id);
  });

  it('accepts a code once and none after five wrong attempts, with the same error', async () => {
    const refusal = { status: 400, error: 'invalid-otp', message: 'Invalid or expired OTP' };
    const once = await requestCode();
    await verify(once);
    expect((await verify(once)).body).toEqual(refusal);
    const { phoneNumber, otp } = await requestCode();
    for (const _ of [1, 2, 3, 4, 5])
      expect((await verify({ phoneNumber, otp: wrong(otp) })).body).toEqual(refusal);
    expect((await verify({ phoneNumber, otp })).body).toEqual(refusal);
  });

  it('expires a code after five minutes', async () => {
    const { phoneNumber, otp } = await requestCode();
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
    ['an unknown phone number', { phoneNumber: '+15558888888', otp: '123456' }, 'invalid-otp'],
    ['an invalid phone number', { phoneNumber: 'call me', otp: '123456' }, 'invalid-otp'],
    ['no code', { phoneNumber: '+15558888888' }, 'invalid-request'],
    ['a list', { phoneNumber: ['+15558888888'], otp: '123456' }, 'invalid-request'],
  ])('refuses %s', async (_, body, error) => {
    expect((await verify(body)).body).toMatchObject({ status: 400, error });
  });
});
