// @vitest-environment happy-dom
import { authError, clientError } from '@longshore/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { followLink } from '../../support/follow-link.ts';
import { newEmail, PASSWORD } from '../../support/nhost.ts';
import { NHOST_REACT, openApp } from '../../support/nhost-react.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const NEW_PASSWORD = 'the lamps along the quay';

/** With a mail server, users must verify their address before they sign in. */
const longshore = sharedLongshore();

describe.each(NHOST_REACT)('%s', (name) => {
  /** One tab at a time, because open tabs share the signed-in session. */
  let tab: ReturnType<typeof openApp> | undefined;
  function open(address = `${longshore.url}/`) {
    tab?.close();
    tab = openApp(name, address);
    return tab;
  }
  afterEach(() => {
    tab?.close();
    tab = undefined;
  });

  /** Follows the link in the next email to an address and opens the app at its target. */
  async function openMail(email: string) {
    const { address, parameters } = await followLink(await longshore.mails.linkTo(email));
    return { parameters, app: open(`${address}?${new URLSearchParams(parameters)}`) };
  }

  async function signUp(email = newEmail()) {
    const app = open();
    await app.waitUntil(({ status }) => expect(status.isLoading).toBe(false));
    const signedUp = await app.act((hooks) => hooks.signUp.signUpEmailPassword(email, PASSWORD));
    return { email, app, signedUp };
  }

  async function verifiedUser() {
    const { email } = await signUp();
    const { app } = await openMail(email);
    await app.waitUntil(({ status }) => expect(status.isAuthenticated).toBe(true));
    return { email, app };
  }

  it('requires a verified address at sign-up and at sign-in', async () => {
    const { email, app, signedUp } = await signUp();
    expect(signedUp).toMatchObject({ needsEmailVerification: true, isSuccess: false });
    expect(app.hooks.signUp).toMatchObject({ needsEmailVerification: true, isError: false });

    const later = open();
    await later.waitUntil(({ status }) => expect(status.isLoading).toBe(false));
    await later.act(({ signIn }) => signIn.signInEmailPassword(email, PASSWORD));
    expect(later.hooks.signIn).toMatchObject({
      needsEmailVerification: true,
      isSuccess: false,
    });
    expect(later.hooks.status.isAuthenticated).toBe(false);
  });

  it('is signed in by the verification link and removes the token from the URL', async () => {
    const { email } = await signUp();
    const { app, parameters } = await openMail(email);
    expect(parameters).toEqual({ refreshToken: expect.any(String), type: 'verifyEmail' });
    await app.waitUntil(({ status }) => expect(status.isAuthenticated).toBe(true));
    expect(app.hooks.user).toMatchObject({ email, emailVerified: true });
    expect(app.address().search).toBe('');
  });

  it('reports a link that was used before', async () => {
    const { email } = await signUp();
    const link = await longshore.mails.linkTo(email);
    await followLink(link);
    const { address, parameters } = await followLink(link);
    const { error, message } = authError('invalid-ticket');
    expect(parameters).toEqual({ error, errorDescription: message });
    const app = open(`${address}?${new URLSearchParams(parameters)}`);
    await app.waitUntil(({ status }) => expect(status.isLoading).toBe(false));
    expect(app.hooks.status).toMatchObject({
      isAuthenticated: false,
      error: { status: 10, error, message },
    });
  });

  it('signs out and in again; a wrong password is refused', async () => {
    const { email, app } = await verifiedUser();
    await app.act(({ signOut }) => signOut.signOut());
    expect(app.hooks.signOut.isSuccess).toBe(true);
    expect(app.hooks.status.isAuthenticated).toBe(false);
    await app.act(({ signIn }) => signIn.signInEmailPassword(email, 'wrong'));
    expect(app.hooks.signIn).toMatchObject({
      isError: true,
      error: authError('invalid-email-password'),
    });
    await app.act(({ signIn }) => signIn.signInEmailPassword(email, PASSWORD));
    expect(app.hooks.signIn).toMatchObject({ isSuccess: true, user: { email } });
    const again = await app.act(({ signIn }) => signIn.signInEmailPassword(email, PASSWORD));
    expect(again.error).toEqual(clientError('already-signed-in'));
  });

  it('resets the password by email and changes it', async () => {
    const { email } = await verifiedUser();
    const visitor = open();
    await visitor.act(({ resetPassword }) => resetPassword.resetPassword(email));
    expect(visitor.hooks.resetPassword).toMatchObject({ isSent: true, isError: false });

    const { app, parameters } = await openMail(email);
    expect(parameters.type).toBe('passwordReset');
    await app.waitUntil(({ status }) => expect(status.isAuthenticated).toBe(true));
    await app.act(({ changePassword }) => changePassword.changePassword(NEW_PASSWORD));
    expect(app.hooks.changePassword).toMatchObject({ isSuccess: true, isError: false });
    await app.act(({ signOut }) => signOut.signOut());
    await app.act(({ signIn }) => signIn.signInEmailPassword(email, NEW_PASSWORD));
    expect(app.hooks.signIn).toMatchObject({ isSuccess: true, user: { email } });
  });

  it('changes the email address by email', async () => {
    const { app } = await verifiedUser();
    const address = newEmail();
    await app.act(({ changeEmail }) => changeEmail.changeEmail(address));
    expect(app.hooks.changeEmail).toMatchObject({
      needsEmailVerification: true,
      isError: false,
    });
    const changed = await openMail(address);
    expect(changed.parameters.type).toBe('emailConfirmChange');
    await changed.app.waitUntil(({ user }) => expect(user?.email).toBe(address));
  });

  it('gets the QR code for an authenticator app', async () => {
    const { app } = await verifiedUser();
    await app.act(({ secondFactor }) => secondFactor.generateQrCode());
    expect(app.hooks.secondFactor).toMatchObject({
      isGenerated: true,
      qrCodeDataUrl: expect.stringMatching(/^data:image\/png;base64,/),
    });
  });

  it('creates provider links that the server accepts', async () => {
    const link = open().hooks.providerLinks.google ?? '';
    const redirectTo = encodeURIComponent(`${longshore.url}/welcome`);
    expect(link).toBe(`${longshore.url}/v1/auth/signin/provider/google?redirectTo=${redirectTo}`);
    // The provider is not configured here.
    const { address, parameters } = await followLink(link);
    expect(address).toBe(`${longshore.url}/welcome`);
    expect(parameters.error).toBe('disabled-endpoint');
  });
});
