import { authError, clientError } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { followLink } from '../../support/follow-link.ts';
import { connectNhost3, connectNhost4, NHOST_3, newEmail, PASSWORD } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const NEW_PASSWORD = 'the lamps along the quay';

/** With a mail server, users must verify their address before they sign in. */
const longshore = sharedLongshore();

describe.each(NHOST_3)('%s', (name) => {
  const connect = () => connectNhost3(name, longshore.url);

  /** Signs in with the link in the next email to an address. */
  async function openMail(email: string, nhost = connect()) {
    const { parameters } = await followLink(await longshore.mails.linkTo(email));
    const { session, error } = await nhost.auth.refreshSession(parameters.refreshToken);
    expect(error).toBeNull();
    return { nhost, session, type: parameters.type };
  }

  async function verifiedUser() {
    const email = newEmail();
    await connect().auth.signUp({ email, password: PASSWORD });
    return { email, ...(await openMail(email)) };
  }

  it('requires a verified address: sign-in fails before, the link signs in once', async () => {
    const credentials = { email: newEmail(), password: PASSWORD };
    const redirectTo = `${longshore.url}/dashboard`;
    const signedUp = await connect().auth.signUp({ ...credentials, options: { redirectTo } });
    expect(signedUp).toEqual({ session: null, error: null });
    const early = await connect().auth.signIn(credentials);
    expect(early.error).toEqual(clientError('unverified-user'));

    const link = await longshore.mails.linkTo(credentials.email);
    const first = await followLink(link);
    expect(first).toMatchObject({ address: redirectTo, parameters: { type: 'verifyEmail' } });
    const { session } = await connect().auth.refreshSession(first.parameters.refreshToken);
    expect(session.user).toMatchObject({ email: credentials.email, emailVerified: true });

    const { status: _, message, error } = authError('invalid-ticket');
    const spent = { address: redirectTo, parameters: { error, errorDescription: message } };
    expect(await followLink(link)).toEqual(spent);
    expect((await connect().auth.signIn(credentials)).session.user.id).toBe(session.user.id);
  });

  it('resends the verification email; fails once the address is verified', async () => {
    const email = newEmail();
    await connect().auth.signUp({ email, password: PASSWORD });
    await longshore.mails.linkTo(email);
    expect(await connect().auth.sendVerificationEmail({ email })).toEqual({ error: null });
    expect((await openMail(email)).session.user.emailVerified).toBe(true);
    const again = await connect().auth.sendVerificationEmail({ email });
    expect(again.error).toEqual(authError('email-already-verified'));
  });

  it('signs in by link without a password or an existing account', async () => {
    const email = newEmail();
    expect((await connect().auth.signIn({ email })).error).toBeNull();
    const { session, type } = await openMail(email);
    expect(type).toBe('passwordlessEmail');
    expect(session.user).toMatchObject({ email, emailVerified: true });
  });

  it('resets a password: the link signs in, then a new password is set', async () => {
    const { email } = await verifiedUser();
    expect(await connect().auth.resetPassword({ email })).toEqual({ error: null });
    const { nhost, type } = await openMail(email);
    expect(type).toBe('passwordReset');
    expect(await nhost.auth.changePassword({ newPassword: NEW_PASSWORD })).toEqual({ error: null });
    const old = await connect().auth.signIn({ email, password: PASSWORD });
    expect(old.error).toEqual(authError('invalid-email-password'));
    const fresh = await connect().auth.signIn({ email, password: NEW_PASSWORD });
    expect(fresh.session.user.email).toBe(email);
  });

  it('resets a password once with the ticket alone', async () => {
    const { email } = await verifiedUser();
    await connect().auth.resetPassword({ email });
    const link = new URL(await longshore.mails.linkTo(email));
    const change = { newPassword: NEW_PASSWORD, ticket: link.searchParams.get('ticket') };
    expect(await connect().auth.changePassword(change)).toEqual({ error: null });
    const again = await connect().auth.changePassword(change);
    expect(again.error).toEqual(authError('invalid-ticket'));
    expect((await connect().auth.signIn({ email, password: NEW_PASSWORD })).error).toBeNull();
  });

  it('does not disclose unknown addresses on password reset', async () => {
    expect(await connect().auth.resetPassword({ email: newEmail() })).toEqual({ error: null });
  });

  it('changes the email address after the new one is verified', async () => {
    const { email, nhost } = await verifiedUser();
    const address = newEmail();
    expect(await nhost.auth.changeEmail({ newEmail: address })).toEqual({ error: null });
    expect((await nhost.auth.refreshSession()).session.user.email).toBe(email);
    const { session, type } = await openMail(address);
    expect(type).toBe('emailConfirmChange');
    expect(session.user).toMatchObject({ email: address, emailVerified: true });
    const signedIn = await connect().auth.signIn({ email: address, password: PASSWORD });
    expect(signedIn.session.user.id).toBe(session.user.id);
  });
});

describe('nhost-js 4', () => {
  const connect = () => connectNhost4(longshore.url);

  async function openMail(email: string, nhost = connect()) {
    const { parameters } = await followLink(await longshore.mails.linkTo(email));
    const { body } = await nhost.auth.refreshToken({ refreshToken: parameters.refreshToken });
    expect(nhost.getUserSession().refreshToken).toBe(body.refreshToken);
    return { nhost, user: body.user, type: parameters.type };
  }

  async function verifiedUser() {
    const email = newEmail();
    await connect().auth.signUpEmailPassword({ email, password: PASSWORD });
    return { email, ...(await openMail(email)) };
  }

  it('requires a verified address: sign-in fails before, the link signs in', async () => {
    const credentials = { email: newEmail(), password: PASSWORD };
    const signedUp = await connect().auth.signUpEmailPassword(credentials);
    expect(signedUp.body.session ?? null).toBeNull();
    await expect(connect().auth.signInEmailPassword(credentials)).rejects.toMatchObject({
      body: authError('unverified-user'),
    });
    const { user, type } = await openMail(credentials.email);
    expect(type).toBe('verifyEmail');
    expect(user).toMatchObject({ email: credentials.email, emailVerified: true });
  });

  it('signs up and in by link', async () => {
    const email = newEmail();
    await connect().auth.signUpPasswordlessEmail({ email });
    const { user } = await openMail(email);
    await connect().auth.signInPasswordlessEmail({ email });
    expect(await openMail(email)).toMatchObject({ type: 'passwordlessEmail', user });
  });

  it('resets a password, then sets a new one', async () => {
    const { email } = await verifiedUser();
    expect((await connect().auth.sendPasswordResetEmail({ email })).body).toBe('OK');
    const { nhost, type } = await openMail(email);
    expect(type).toBe('passwordReset');
    await nhost.auth.changeUserPassword({ newPassword: NEW_PASSWORD });
    const fresh = { email, password: NEW_PASSWORD };
    expect((await connect().auth.signInEmailPassword(fresh)).body.session.user.email).toBe(email);
  });

  it('changes the email address after the new one is verified', async () => {
    const { nhost, user } = await verifiedUser();
    const address = newEmail();
    expect((await nhost.auth.changeUserEmail({ newEmail: address })).body).toBe('OK');
    expect(await openMail(address)).toMatchObject({
      type: 'emailConfirmChange',
      user: { id: user.id, email: address },
    });
  });
});
