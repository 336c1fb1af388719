import type { Page } from 'playwright-core';

/** The browser's WebAuthn API. */
type WithCredentials = {
  PublicKeyCredential: {
    parseCreationOptionsFromJSON(options: unknown): unknown;
    parseRequestOptionsFromJSON(options: unknown): unknown;
  };
  navigator: {
    credentials: Record<'create' | 'get', (options: unknown) => Promise<{ toJSON(): unknown }>>;
  };
};

/** Calls the auth service and the security key from a page with browser APIs only. */
export function navigatorCredentials(page: Page, base: string) {
  return {
    post: async (path: string, body: unknown) =>
      await page.evaluate(
        async ({ address, body }) => {
          const headers = { 'content-type': 'application/json' };
          const response = await fetch(address, { method: 'POST', headers, body });
          return { status: response.status, body: (await response.json()) as unknown };
        },
        { address: `${base}${path}`, body: JSON.stringify(body) },
      ),
    create: (options: unknown) =>
      page.evaluate(async (options) => {
        const { PublicKeyCredential, navigator } = globalThis as unknown as WithCredentials;
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
        return (await navigator.credentials.create({ publicKey })).toJSON();
      }, options),
    get: (options: unknown) =>
      page.evaluate(async (options) => {
        const { PublicKeyCredential, navigator } = globalThis as unknown as WithCredentials;
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
        return (await navigator.credentials.get({ publicKey })).toJSON();
      }, options),
  };
}
