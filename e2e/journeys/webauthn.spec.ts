import { describe, expect, it } from 'vitest';
import { navigatorCredentials } from '../support/navigator-credentials.ts';
import { connectNhost4, NHOST_3, newEmail, PASSWORD } from '../support/nhost.ts';
import { loadNhost } from '../support/nhost-in-page.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';
import { plugInSecurityKey } from '../support/virtual-authenticator.ts';

const REFUSED = {
  status: 400,
  error: 'invalid-request',
  message: 'The request payload is incorrect',
};

const browser = sharedBrowser();
const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });

describe.each(NHOST_3)('with the public client %s', (version) => {
  async function newUser() {
    const page = await (await browser.newContext()).newPage();
    const key = await plugInSecurityKey(page);
    return { key, nhost: await loadNhost(page, { version, url: longshore.url }) };
  }

  it('a user signs up, signs in with and without email address, and elevates', async () => {
    const email = `key-${version}@example.com`;
    const { key, nhost } = await newUser();
    const nickname = 'Blue key';
    const signedUp = await nhost.auth('signUp', {
      email,
      securityKey: true,
      options: { nickname },
    });
    expect(signedUp.error).toBeNull();
    expect(signedUp.session?.user.email).toBe(email);
    const userId = signedUp.session?.user.id;

    for (const [method, ...args] of [
      ['signIn', { email, securityKey: true }],
      ['signInSecurityKey'],
    ] as const) {
      await nhost.auth('signOut');
      const signedIn = await nhost.auth(method, ...args);
      expect(signedIn.error).toBeNull();
      expect(signedIn.session?.user.id).toBe(userId);
    }

    expect((await nhost.auth('elevateEmailSecurityKey', email)).error).toBeNull();
    expect(await nhost.auth('getHasuraClaims')).toMatchObject({
      'x-hasura-auth-elevated': userId,
      'x-hasura-user-id': userId,
    });

    await nhost.auth('signOut');
    await key.rewind(0);
    expect((await nhost.auth('signIn', { email, securityKey: true })).error).toMatchObject(REFUSED);
  });

  it('a user with a password adds a key once', async () => {
    const email = `password-${version}@example.com`;
    const { key, nhost } = await newUser();
    await nhost.auth('signUp', { email, password: PASSWORD });
    const added = await nhost.auth('addSecurityKey', 'Spare');
    expect(added).toMatchObject({ error: null, key: { nickname: 'Spare' } });
    expect((await nhost.auth('addSecurityKey', 'Again')).error).not.toBeNull();
    expect(await key.signCounts()).toHaveLength(1);

    await nhost.auth('signOut');
    const signedIn = await nhost.auth('signInSecurityKey');
    expect(signedIn.session?.user.email).toBe(email);
  });
});

describe('with the public client nhost-js 4', () => {
  /** This client does not call the browser's WebAuthn API; the app has to. */
  async function newUser() {
    const page = await (await browser.newContext()).newPage();
    await plugInSecurityKey(page);
    await page.goto(`${longshore.url}/healthz`);
    return navigatorCredentials(page, '/auth/v1');
  }
  const connect = () => connectNhost4(longshore.url);

  it('a user signs up and signs in with and without email address', async () => {
    const { create, get } = await newUser();
    const email = newEmail();
    const { body: options } = await connect().auth.signUpWebauthn({ email });
    const credential = await create(options);
    const { body } = await connect().auth.verifySignUpWebauthn({
      credential,
      nickname: 'Blue key',
    });
    expect(body.session.user.email).toBe(email);
    for (const request of [{ email }, undefined]) {
      const { body: challenge } = await connect().auth.signInWebauthn(request);
      const assertion = { ...request, credential: await get(challenge) };
      const signedIn = await connect().auth.verifySignInWebauthn(assertion);
      expect(signedIn.body.session.user.id).toBe(body.session.user.id);
    }
  });

  it('a user with a password adds a key and elevates with it', async () => {
    const { create, get } = await newUser();
    const nhost = connect();
    const { body } = await nhost.auth.signUpEmailPassword({
      email: newEmail(),
      password: PASSWORD,
    });
    const credential = await create((await nhost.auth.addSecurityKey()).body);
    const added = await nhost.auth.verifyAddSecurityKey({ credential, nickname: 'Spare' });
    expect(added.body).toEqual({ id: expect.any(String), nickname: 'Spare' });
    const assertion = { credential: await get((await nhost.auth.elevateWebauthn()).body) };
    const elevated = await nhost.auth.verifyElevateWebauthn(assertion);
    // The client stores sessions of other endpoints itself, but not of this one.
    nhost.sessionStorage.set(elevated.body.session);
    expect(nhost.getUserSession().decodedToken['https://hasura.io/jwt/claims']).toMatchObject({
      'x-hasura-auth-elevated': body.session.user.id,
    });
  });
});

it('the browser’s JSON formats are accepted, and a reused response is refused', async () => {
  const page = await (await browser.newContext()).newPage();
  await plugInSecurityKey(page);
  await page.goto(`${longshore.url}/healthz`);
  const { post, create, get } = navigatorCredentials(page, '/auth/v1');
  const email = 'plain@example.com';
  const credential = await create((await post('/signup/webauthn', { email })).body);
  const signUp = await post('/signup/webauthn/verify', { credential, nickname: 'Plain' });
  expect(signUp.body).toMatchObject({ session: { user: { email } } });

  const assertion = { credential: await get((await post('/signin/webauthn', {})).body) };
  const signIn = await post('/signin/webauthn/verify', assertion);
  expect(signIn.body).toMatchObject({ session: { user: { email } } });
  expect(await post('/signin/webauthn/verify', assertion)).toEqual({ status: 400, body: REFUSED });
});
