// @vitest-environment happy-dom
import { authError, clientError } from '@longshore/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { followLink } from '../../support/follow-link.ts';
import { longshoreOfFile } from '../../support/longshore-of-file.ts';
import { newEmail, PASSWORD } from '../../support/nhost.ts';
import { NHOST_REACT, openApp } from '../../support/nhost-react.ts';

const NEW_PASSWORD = 'the lamps along the quay';

/** With a mail server, addresses must be verified before anybody signs in. */
const longshore = longshoreOfFile();

describe.each(NHOST_REACT)('%s', (name) => {
  /** One tab at a time, as open ones tell each other who is signed in. */
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

  /** Follows the link of the next mail to an address, up to the app. */
  async function openMail(email: string) {
    const { address, says } = await followLink(await longshore.mails.linkTo(email));
    return { says, app: open(`${address}?${new URLSearchParams(says)}`) };
  }

  async function signUp(email = newEmail()) {
    const app = open();
    await app.until(({ status }) => expect(status.isLoading).toBe(false));
    const signedUp = await app.do((hooks) => hooks.signUp.signUpEmailPassword(email, PASSWORD));
    return { email, app, signedUp };
  }

  async function verifiedPerson() {
    const { email } = await signUp();
    const { app } = await openMail(email);
    await app.until(({ status }) => expect(status.isAuthenticated).toBe(true));
    return { email, app };
  }

  it('needs the address verified, at sign-up and at sign-in', async () => {
    const { email, app, signedUp } = await signUp();
    expect(signedUp).toMatchObject({ needsEmailVerification: true, isSuccess: false });
    expect(app.says.signUp).toMatchObject({ needsEmailVerification: true, isError: false });

    const later = open();
    await later.until(({ status }) => expect(status.isLoading).toBe(false));
    await later.do(({ signIn }) => signIn.signInEmailPassword(email, PASSWORD));
    expect(later.says.signIn).toMatchObject({ needsEmailVerification: true, isSuccess: false });
    expect(later.says.status.isAuthenticated).toBe(false);
  });

  it('is signed in by the verification link, and cleans its address', async () => {
    const { email } = await signUp();
    const { app, says } = await openMail(email);
    expect(says).toEqual({ refreshToken: expect.any(String), type: 'verifyEmail' });
    await app.until(({ status }) => expect(status.isAuthenticated).toBe(true));
    expect(app.says.user).toMatchObject({ email, emailVerified: true });
    expect(app.address().search).toBe('');
  });

  it('hears of a link that was used before', async () => {
    const { email } = await signUp();
    const link = await longshore.mails.linkTo(email);
    await followLink(link);
    const { address, says } = await followLink(link);
    const { error, message } = authError('invalid-ticket');
    expect(says).toEqual({ error, errorDescription: message });
    const app = open(`${address}?${new URLSearchParams(says)}`);
    await app.until(({ status }) => expect(status.isLoading).toBe(false));
    expect(app.says.status).toMatchObject({
      isAuthenticated: false,
      error: { status: 10, error, message },
    });
  });

  it('signs out and in again; a wrong password is refused', async () => {
    const { email, app } = await verifiedPerson();
    await app.do(({ signOut }) => signOut.signOut());
    expect(app.says.signOut.isSuccess).toBe(true);
    expect(app.says.status.isAuthenticated).toBe(false);
    await app.do(({ signIn }) => signIn.signInEmailPassword(email, 'wrong'));
    expect(app.says.signIn).toMatchObject({
      isError: true,
      error: authError('invalid-email-password'),
    });
    await app.do(({ signIn }) => signIn.signInEmailPassword(email, PASSWORD));
    expect(app.says.signIn).toMatchObject({ isSuccess: true, user: { email } });
    const again = await app.do(({ signIn }) => signIn.signInEmailPassword(email, PASSWORD));
    expect(again.error).toEqual(clientError('already-signed-in'));
  });

  it('resets its password by a mail and changes it', async () => {
    const { email } = await verifiedPerson();
    const visitor = open();
    await visitor.do(({ resetPassword }) => resetPassword.resetPassword(email));
    expect(visitor.says.resetPassword).toMatchObject({ isSent: true, isError: false });

    const { app, says } = await openMail(email);
    expect(says.type).toBe('passwordReset');
    await app.until(({ status }) => expect(status.isAuthenticated).toBe(true));
    await app.do(({ changePassword }) => changePassword.changePassword(NEW_PASSWORD));
    expect(app.says.changePassword).toMatchObject({ isSuccess: true, isError: false });
    await app.do(({ signOut }) => signOut.signOut());
    await app.do(({ signIn }) => signIn.signInEmailPassword(email, NEW_PASSWORD));
    expect(app.says.signIn).toMatchObject({ isSuccess: true, user: { email } });
  });

  it('changes its address by a mail', async () => {
    const { app } = await verifiedPerson();
    const address = newEmail();
    await app.do(({ changeEmail }) => changeEmail.changeEmail(address));
    expect(app.says.changeEmail).toMatchObject({ needsEmailVerification: true, isError: false });
    const changed = await openMail(address);
    expect(changed.says.type).toBe('emailConfirmChange');
    await changed.app.until(({ user }) => expect(user?.email).toBe(address));
  });

  it('gets the picture for an authenticator', async () => {
    const { app } = await verifiedPerson();
    await app.do(({ secondFactor }) => secondFactor.generateQrCode());
    expect(app.says.secondFactor).toMatchObject({
      isGenerated: true,
      qrCodeDataUrl: expect.stringMatching(/^data:image\/png;base64,/),
    });
  });

  it('links to a provider in a way the server understands', async () => {
    const link = open().says.providerLinks.google ?? '';
    const redirectTo = encodeURIComponent(`${longshore.url}/welcome`);
    expect(link).toBe(`${longshore.url}/v1/auth/signin/provider/google?redirectTo=${redirectTo}`);
    // Nobody turned it on here.
    const { address, says } = await followLink(link);
    expect(address).toBe(`${longshore.url}/welcome`);
    expect(says.error).toBe('disabled-endpoint');
  });
});
