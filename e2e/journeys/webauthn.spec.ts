import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { navigatorCredentials } from '../support/navigator-credentials.ts';
import { loadNhost } from '../support/nhost-in-page.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { plugInSecurityKey } from '../support/virtual-authenticator.ts';

const REFUSED = {
  status: 400,
  error: 'invalid-request',
  message: 'The request payload is incorrect',
};

let folder: TemporaryFolder;
let browser: Browser;
let longshore: Longshore;

beforeAll(async () => {
  folder = await temporaryFolder();
  browser = await launchBrowser();
  longshore = await startLongshore({
    dataDir: join(folder.path, 'data'),
    port: await freePort(),
    ingressPort: await freePort(),
  });
});

afterAll(async () => {
  await browser?.close();
  expect(await longshore?.stop()).toBe(0);
  await folder?.remove();
});

describe.each(['nhost-js-3-2', 'nhost-js-3-3'] as const)('with the public client %s', (version) => {
  async function person() {
    const page = await (await browser.newContext()).newPage();
    const key = await plugInSecurityKey(page);
    return { key, nhost: await loadNhost(page, { version, url: longshore.url }) };
  }

  it('a person signs up, signs in with and without address, and elevates', async () => {
    const email = `key-${version}@example.com`;
    const { key, nhost } = await person();
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

  it('a person with a password adds a key, once', async () => {
    const email = `password-${version}@example.com`;
    const { key, nhost } = await person();
    await nhost.auth('signUp', { email, password: 'correct horse battery' });
    const added = await nhost.auth('addSecurityKey', 'Spare');
    expect(added).toMatchObject({ error: null, key: { nickname: 'Spare' } });
    expect((await nhost.auth('addSecurityKey', 'Again')).error).not.toBeNull();
    expect(await key.signCounts()).toHaveLength(1);

    await nhost.auth('signOut');
    const signedIn = await nhost.auth('signInSecurityKey');
    expect(signedIn.session?.user.email).toBe(email);
  });
});

it('the browser’s own JSON forms do as well, and a second use of an answer is refused', async () => {
  const page = await (await browser.newContext()).newPage();
  await plugInSecurityKey(page);
  await page.goto(`${longshore.url}/healthz`);
  const { post, create, get } = navigatorCredentials(page, '/auth/v1');
  const email = 'plain@example.com';
  const credential = await create((await post('/signup/webauthn', { email })).body);
  const signUp = await post('/signup/webauthn/verify', { credential, nickname: 'Plain' });
  expect(signUp.body).toMatchObject({ session: { user: { email } } });

  const answer = { credential: await get((await post('/signin/webauthn', {})).body) };
  const signIn = await post('/signin/webauthn/verify', answer);
  expect(signIn.body).toMatchObject({ session: { user: { email } } });
  expect(await post('/signin/webauthn/verify', answer)).toEqual({ status: 400, body: REFUSED });
});
