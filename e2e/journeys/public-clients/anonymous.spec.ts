import { authError } from '@longshore/contract';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { followLink } from '../../support/follow-link.ts';
import { connectNhost3, connectNhost4, NHOST_3, newEmail, PASSWORD } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const longshore = sharedLongshore({ LONGSHORE_ANONYMOUS_SIGN_IN: 'true' });

// The older clients warn that their own server does not accept a phone number here.
beforeAll(() => void vi.spyOn(console, 'warn').mockReturnValue());

describe.each(NHOST_3)('%s', (name) => {
  const connect = () => connectNhost3(name, longshore.url);

  async function anonymous() {
    const nhost = connect();
    const { session, error } = await nhost.auth.signIn();
    expect(error).toBeNull();
    return { nhost, session };
  }

  it('signs in anonymously and stays signed in', async () => {
    const { nhost, session } = await anonymous();
    expect(session.user).toMatchObject({ isAnonymous: true, roles: ['anonymous'] });
    expect(nhost.auth.getHasuraClaim('user-is-anonymous')).toBe('true');
    expect((await nhost.auth.refreshSession()).session.user.id).toBe(session.user.id);
  });

  it('cannot use endpoints for registered users', async () => {
    const { nhost } = await anonymous();
    const refused = await nhost.auth.createPAT(new Date(Date.now() + 3_600_000));
    expect(refused.error).toEqual(authError('forbidden-anonymous'));
  });

  it('registers with a password after the address is verified', async () => {
    const email = newEmail();
    const { nhost, session } = await anonymous();
    const registration = { signInMethod: 'email-password', email, password: PASSWORD };
    expect(await nhost.auth.deanonymize(registration)).toEqual({ error: null });
    const { parameters } = await followLink(await longshore.mails.linkTo(email));
    const registered = await connect().auth.refreshSession(parameters.refreshToken);
    expect(registered.session.user).toMatchObject({
      id: session.user.id,
      email,
      isAnonymous: false,
      emailVerified: true,
    });
    const signedIn = await connect().auth.signIn({ email, password: PASSWORD });
    expect(signedIn.session.user.id).toBe(session.user.id);
  });

  it('registers by link', async () => {
    const email = newEmail();
    const { nhost, session } = await anonymous();
    const registration = { signInMethod: 'passwordless', connection: 'email', email };
    expect(await nhost.auth.deanonymize(registration)).toEqual({ error: null });
    const { parameters } = await followLink(await longshore.mails.linkTo(email));
    const registered = await connect().auth.refreshSession(parameters.refreshToken);
    expect(registered.session.user).toMatchObject({ id: session.user.id, isAnonymous: false });
  });

  it('registers by SMS', async () => {
    const phoneNumber = name === 'nhost-js-3-2' ? '+4915112340001' : '+4915112340002';
    const { nhost, session } = await anonymous();
    const registration = { signInMethod: 'passwordless', connection: 'sms', phoneNumber };
    expect(await nhost.auth.deanonymize(registration)).toEqual({ error: null });
    const otp = longshore.texts.codeTo(phoneNumber);
    const registered = await connect().auth.signIn({ phoneNumber, otp });
    expect(registered.session.user).toMatchObject({ id: session.user.id, isAnonymous: false });
  });

  it('stays anonymous if the address is taken', async () => {
    const email = newEmail();
    await connect().auth.signUp({ email, password: PASSWORD });
    const { nhost, session } = await anonymous();
    const registration = { signInMethod: 'email-password', email, password: PASSWORD };
    expect((await nhost.auth.deanonymize(registration)).error).toEqual(
      authError('user-already-exists'),
    );
    expect((await nhost.auth.refreshSession()).session.user.id).toBe(session.user.id);
  });
});

describe('nhost-js 4', () => {
  const connect = () => connectNhost4(longshore.url);

  it('signs in anonymously and registers', async () => {
    const email = newEmail();
    const nhost = connect();
    const { body } = await nhost.auth.signInAnonymous({ displayName: 'Ada' });
    expect(body.session.user).toMatchObject({ isAnonymous: true, displayName: 'Ada' });
    const response = await nhost.auth.deanonymizeUser({
      signInMethod: 'email-password',
      email,
      password: PASSWORD,
    });
    expect(response.body).toBe('OK');
    const { parameters } = await followLink(await longshore.mails.linkTo(email));
    const registered = await connect().auth.refreshToken({ refreshToken: parameters.refreshToken });
    expect(registered.body.user).toMatchObject({ id: body.session.user.id, isAnonymous: false });
  });
});
