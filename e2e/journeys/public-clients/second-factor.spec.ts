import { authError } from '@longshore/contract';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { authenticator } from '../../support/authenticator.ts';
import { followLink } from '../../support/follow-link.ts';
import {
  connectNhost3,
  connectNhost4,
  NHOST_3,
  type Nhost3,
  newEmail,
  PASSWORD,
} from '../../support/nhost.ts';
import { secondFactorOf } from '../../support/second-factor.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });
const PICTURE = /^data:image\/png;base64,/;
const TICKET = /^mfaTotp:[0-9a-f-]{36}$/;

// The older client prints refused requests.
beforeAll(() => void vi.spyOn(console, 'log').mockReturnValue());

/** A user whose authenticator app has scanned the QR code. */
async function userWithAuthenticator(name: Nhost3) {
  const nhost = connectNhost3(name, longshore.url);
  const credentials = { email: newEmail(), password: PASSWORD };
  await nhost.auth.signUp(credentials);
  const factor = secondFactorOf(name, nhost);
  const { picture, secret } = await factor.generate();
  expect(picture).toMatch(PICTURE);
  return { nhost, credentials, factor, app: authenticator(secret) };
}

describe.each(NHOST_3)('%s', (name) => {
  const connect = () => connectNhost3(name, longshore.url);

  it('enables the second factor with a valid code only, and requires it from then on', async () => {
    const { credentials, factor, app } = await userWithAuthenticator(name);
    const mistaken = await factor.activate(app.wrongCode());
    expect(mistaken).toMatchObject({ isActivated: false, error: authError('invalid-totp') });
    expect((await connect().auth.signIn(credentials)).mfa).toBeNull();
    expect(await factor.activate(app.code())).toMatchObject({ isActivated: true, error: null });

    const nhost = connect();
    const { session, mfa, error } = await nhost.auth.signIn(credentials);
    expect({ session, error }).toEqual({ session: null, error: null });
    expect(mfa.ticket).toMatch(TICKET);
    const signedIn = await nhost.auth.signIn({ ticket: mfa.ticket, otp: app.nextCode() });
    expect(signedIn.error).toBeNull();
    expect(signedIn.session.user.email).toBe(credentials.email);
  });

  it('uses up a ticket with the first code, right or wrong', async () => {
    const { credentials, factor, app } = await userWithAuthenticator(name);
    await factor.activate(app.code());
    const nhost = connect();
    const { ticket } = (await nhost.auth.signIn(credentials)).mfa;
    const wrong = await nhost.auth.signIn({ ticket, otp: app.wrongCode() });
    expect(wrong.error).toEqual(authError('invalid-totp'));
    const right = await connect().auth.signIn({ ticket, otp: app.nextCode() });
    expect(right.error).toEqual(authError('invalid-ticket'));
  });
});

it('nhost-js-3-3 disables the second factor', async () => {
  const { nhost, credentials, factor, app } = await userWithAuthenticator('nhost-js-3-3');
  await factor.activate(app.code());
  const { disable } = secondFactorOf('nhost-js-3-3', nhost);
  const mistaken = await disable(app.wrongCode());
  expect(mistaken).toMatchObject({ isDisabled: false, error: authError('invalid-totp') });
  expect(await disable(app.code())).toMatchObject({ isDisabled: true, error: null });
  const signedIn = await connectNhost3('nhost-js-3-3', longshore.url).auth.signIn(credentials);
  expect(signedIn).toMatchObject({ mfa: null, session: { user: { email: credentials.email } } });
});

async function recoveryCodeOf(accessToken: string, code: string): Promise<string> {
  const response = await fetch(`${longshore.url}/v1/auth/mfa/recovery-codes/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ code }),
  });
  return (await response.json()).recoveryCodes[0];
}

it.each(NHOST_3)('%s signs in with a recovery code', async (name) => {
  const { nhost, credentials, factor, app } = await userWithAuthenticator(name);
  await factor.activate(app.code());
  const otp = await recoveryCodeOf(nhost.auth.getAccessToken(), app.code());
  const other = connectNhost3(name, longshore.url);
  const { ticket } = (await other.auth.signIn(credentials)).mfa;
  const signedIn = await other.auth.signIn({ ticket, otp });
  expect(signedIn).toMatchObject({ error: null, session: { user: { email: credentials.email } } });
});

it.each(NHOST_3)('%s finishes a sign-in link with the ticket of its redirect', async (name) => {
  const { credentials, factor, app } = await userWithAuthenticator(name);
  await factor.activate(app.code());
  const nhost = connectNhost3(name, longshore.url);
  await nhost.auth.signIn({ email: credentials.email });
  const { parameters } = await followLink(await longshore.mails.linkTo(credentials.email));
  expect(parameters).toEqual({
    error: 'mfa-required',
    errorDescription: authError('mfa-required').message,
    ticket: expect.stringMatching(TICKET),
  });
  const signedIn = await nhost.auth.signIn({ ticket: parameters.ticket, otp: app.nextCode() });
  expect(signedIn).toMatchObject({ error: null, session: { user: { email: credentials.email } } });
});

// These versions do not read `mfa` in the response to a code (decision 71). Their users sign in by password or link.
it.each(NHOST_3)('%s gets no session for a mailed code', async (name) => {
  const { credentials, factor, app } = await userWithAuthenticator(name);
  await factor.activate(app.code());
  const nhost = connectNhost3(name, longshore.url);
  await nhost.auth.signInEmailOTP(credentials.email);
  const code = await longshore.mails.codeTo(credentials.email);
  const { session } = await nhost.auth.verifyEmailOTP(credentials.email, code);
  expect(session).toBeNull();
  expect(nhost.auth.getAccessToken()).toBeUndefined();
  await nhost.auth.signOut();
  const { mfa } = await nhost.auth.signIn(credentials);
  const signedIn = await nhost.auth.signIn({ ticket: mfa.ticket, otp: app.nextCode() });
  expect(signedIn.session.user.email).toBe(credentials.email);
});

describe('nhost-js 4', () => {
  const connect = () => connectNhost4(longshore.url);

  it('finishes a mailed code and a sign-in link with the ticket', async () => {
    const credentials = { email: newEmail(), password: PASSWORD };
    const { email } = credentials;
    const nhost = connect();
    await nhost.auth.signUpEmailPassword(credentials);
    const app = authenticator((await nhost.auth.changeUserMfa()).body.totpSecret);
    await nhost.auth.verifyChangeUserMfa({ code: app.code(), activeMfaType: 'totp' });

    await connect().auth.signInOTPEmail({ email });
    const otp = await longshore.mails.codeTo(email);
    const codeStep = await connect().auth.verifySignInOTPEmail({ email, otp });
    const { session, mfa } = codeStep.body as { session?: unknown; mfa?: { ticket: string } };
    expect(session).toBeUndefined();
    const ticket = mfa?.ticket ?? '';
    const byCode = await connect().auth.verifySignInMfaTotp({ ticket, otp: app.code() });
    expect(byCode.body.session.user.email).toBe(email);

    await connect().auth.signInPasswordlessEmail({ email });
    const { parameters } = await followLink(await longshore.mails.linkTo(email));
    expect(parameters).toMatchObject({ error: 'mfa-required' });
    const linkTicket = { ticket: parameters.ticket ?? '', otp: app.nextCode() };
    const byLink = await connect().auth.verifySignInMfaTotp(linkTicket);
    expect(byLink.body.session.user.email).toBe(email);
  });

  it('enables the second factor, signs in with it, uses up a ticket, disables it', async () => {
    const credentials = { email: newEmail(), password: PASSWORD };
    const nhost = connect();
    await nhost.auth.signUpEmailPassword(credentials);
    const { imageUrl, totpSecret } = (await nhost.auth.changeUserMfa()).body;
    expect(imageUrl).toMatch(PICTURE);
    const app = authenticator(totpSecret);
    await nhost.auth.verifyChangeUserMfa({ code: app.code(), activeMfaType: 'totp' });
    expect((await nhost.auth.getUser()).body.activeMfaType).toBe('totp');

    const passwordStep = await connect().auth.signInEmailPassword(credentials);
    expect(passwordStep.body.session ?? null).toBeNull();
    const { ticket } = passwordStep.body.mfa;
    const { body } = await connect().auth.verifySignInMfaTotp({ ticket, otp: app.code() });
    expect(body.session.user.email).toBe(credentials.email);
    const again = connect().auth.verifySignInMfaTotp({ ticket, otp: app.nextCode() });
    await expect(again).rejects.toMatchObject({ body: authError('invalid-ticket') });

    const otp = await recoveryCodeOf(body.session.accessToken, app.nextCode());
    const next = await connect().auth.signInEmailPassword(credentials);
    const recovered = connect().auth.verifySignInMfaTotp({ ticket: next.body.mfa.ticket, otp });
    expect((await recovered).body.session.user.email).toBe(credentials.email);

    await nhost.auth.verifyChangeUserMfa({ code: app.code(), activeMfaType: '' });
    const plain = await connect().auth.signInEmailPassword(credentials);
    expect(plain.body).toMatchObject({ session: { user: { email: credentials.email } } });
  });
});
