import type { BrowserClient } from '@longshore/client';
import { describe, expect, it } from 'vitest';
import { loadOwnClient } from '../support/own-client-in-page.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';
import { plugInSecurityKey } from '../support/virtual-authenticator.ts';

declare global {
  var client: BrowserClient;
}

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });
const browser = sharedBrowser();

describe('a user of our own client in a browser', () => {
  it('signs up with a security key, signs in with and without email address, and elevates', async () => {
    const page = await (await browser.newContext()).newPage();
    const key = await plugInSecurityKey(page);
    await loadOwnClient(page, longshore.url);
    const email = 'key@example.com';

    const outcomes = await page.evaluate(async (email) => {
      const { auth, services } = globalThis.client;
      const seen: unknown[] = [
        await auth.signInBy({ kind: 'sign-up-security-key', email, nickname: 'Blue key' }),
      ];
      const { account } = await services();
      seen.push(await account.elevate(email), await account.listSecurityKeys());
      await auth.signOut();
      seen.push(await auth.signInBy({ kind: 'security-key', securityKey: true, email }));
      await auth.signOut();
      seen.push(await auth.signInBy({ kind: 'security-key', securityKey: true }));
      return seen;
    }, email);

    expect(outcomes).toEqual([
      { kind: 'signed-in' },
      { ok: true, data: undefined },
      { ok: true, data: [expect.objectContaining({ nickname: 'Blue key' })] },
      { kind: 'signed-in' },
      { kind: 'signed-in' },
    ]);
    expect(await key.signCounts()).toHaveLength(1);
  });

  it('gets an error when adding a key that is already registered', async () => {
    const page = await (await browser.newContext()).newPage();
    await plugInSecurityKey(page);
    await loadOwnClient(page, longshore.url);
    const result = await page.evaluate(async () => {
      const { auth, services } = globalThis.client;
      await auth.signInBy({ kind: 'sign-up-security-key', email: 'twice@example.com' });
      const { account } = await services();
      return await account.addSecurityKey('The same again');
    });
    expect(result).toMatchObject({
      ok: false,
      error: { status: 1, error: 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' },
    });
  });
});
