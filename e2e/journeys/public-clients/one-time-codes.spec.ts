import { randomInt } from 'node:crypto';
import { authError } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { connectNhost3, connectNhost4, NHOST_3, newEmail } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const longshore = sharedLongshore();
const REFUSED = authError('invalid-otp');

const newNumber = () => `+49151${randomInt(10_000_000, 99_999_999)}`;
const differentFrom = (code: string) => (code === '000000' ? '000001' : '000000');

describe.each(NHOST_3)('%s', (name) => {
  const connect = () => connectNhost3(name, longshore.url);

  /** The client returns `error: null` here and drops the server's error. */
  const errorOf = (nhost: ReturnType<typeof connect>) =>
    nhost.auth.client.interpreter.getSnapshot().context.errors.registration;

  it('signs in with an email code once; a wrong code is refused', async () => {
    const email = newEmail();
    expect((await connect().auth.signInEmailOTP(email)).error).toBeNull();
    const code = await longshore.mails.codeTo(email);

    const [mistaken, late] = [connect(), connect()];
    expect((await mistaken.auth.verifyEmailOTP(email, differentFrom(code))).session).toBeNull();
    expect(errorOf(mistaken)).toEqual(REFUSED);
    const { session } = await connect().auth.verifyEmailOTP(email, code);
    expect(session.user).toMatchObject({ email, emailVerified: true });
    expect((await late.auth.verifyEmailOTP(email, code)).session).toBeNull();
    expect(errorOf(late)).toEqual(REFUSED);
  });

  it('signs in with an SMS code, later with the same account', async () => {
    const phoneNumber = newNumber();
    expect((await connect().auth.signIn({ phoneNumber })).error).toBeNull();
    const otp = longshore.texts.codeTo(phoneNumber);
    const mistaken = connect();
    expect(
      (await mistaken.auth.signIn({ phoneNumber, otp: differentFrom(otp) })).session,
    ).toBeNull();
    expect(errorOf(mistaken)).toEqual(REFUSED);
    const nhost = connect();
    const { session, error } = await nhost.auth.signIn({ phoneNumber, otp });
    expect(error).toBeNull();
    expect(session.user).toMatchObject({ phoneNumber, phoneNumberVerified: true });
    expect((await nhost.auth.refreshSession()).error).toBeNull();

    await connect().auth.signIn({ phoneNumber });
    const next = longshore.texts.codeTo(phoneNumber);
    const again = await connect().auth.signIn({ phoneNumber, otp: next });
    expect(again.session.user.id).toBe(session.user.id);
  });
});

describe('nhost-js 4', () => {
  const connect = () => connectNhost4(longshore.url);

  it('signs up with an email code and signs in with another', async () => {
    const email = newEmail();
    expect((await connect().auth.signUpOTPEmail({ email })).body).toBe('OK');
    const otp = await longshore.mails.codeTo(email);
    const wrong = { email, otp: differentFrom(otp) };
    await expect(connect().auth.verifySignInOTPEmail(wrong)).rejects.toMatchObject({
      body: REFUSED,
    });
    const { body } = await connect().auth.verifySignInOTPEmail({ email, otp });
    expect(body.session.user).toMatchObject({ email, emailVerified: true });

    await connect().auth.signInOTPEmail({ email });
    const next = { email, otp: await longshore.mails.codeTo(email) };
    const again = await connect().auth.verifySignInOTPEmail(next);
    expect(again.body.session.user.id).toBe(body.session.user.id);
  });

  it('signs up with an SMS code and signs in with another', async () => {
    const phoneNumber = newNumber();
    expect((await connect().auth.signUpPasswordlessSms({ phoneNumber })).body).toBe('OK');
    const first = { phoneNumber, otp: longshore.texts.codeTo(phoneNumber) };
    const nhost = connect();
    const { body } = await nhost.auth.verifySignInPasswordlessSms(first);
    expect(body.session.user).toMatchObject({ phoneNumber, phoneNumberVerified: true });
    expect((await nhost.auth.getUser()).body.phoneNumber).toBe(phoneNumber);
    await expect(connect().auth.verifySignInPasswordlessSms(first)).rejects.toMatchObject({
      body: REFUSED,
    });

    await connect().auth.signInPasswordlessSms({ phoneNumber });
    const next = { phoneNumber, otp: longshore.texts.codeTo(phoneNumber) };
    const again = await connect().auth.verifySignInPasswordlessSms(next);
    expect(again.body.session.user.id).toBe(body.session.user.id);
  });
});
