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

const usersAt = (phoneNumber: string, at = backend) =>
  at.db.selectFrom('auth.users').selectAll().where('phone_number', '=', phoneNumber).execute();

describe.each(['/v1/auth/signin/passwordless/sms', '/v1/auth/signup/passwordless/sms'])(
  'POST %s',
  (path) => {
    it('creates a user for an unknown phone number and sends a code of six digits', async () => {
      const phoneNumber = newPhoneNumber();
      const entered = `${phoneNumber.slice(0, 2)} (${phoneNumber.slice(2, 5)}) ${phoneNumber.slice(5)}`;
      const { status, body } = await backend.post<unknown>(path, { phoneNumber: entered });
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
      ['a number as phone number', { phoneNumber: 15_550_109_999 }, 'invalid-request'],
      ['null', { phoneNumber: null }, 'invalid-request'],
      ['an empty number', { phoneNumber: '' }, 'cannot-send-sms'],
      [
        'a phone number without a country code',
        { phoneNumber: '079 123 45 67' },
        'cannot-send-sms',
      ],
      [
        'a role that cannot be granted',
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
  it('reports that the SMS could not be sent, and deletes the new user', async () => {
    const smsSender = { send: () => Promise.reject(new Error('The gateway is down')) };
    const broken = await startBackend({ smsSender });
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
