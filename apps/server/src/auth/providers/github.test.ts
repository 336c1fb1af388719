import { expect, it } from 'vitest';
import { Secret } from '../../secrets/secret.ts';
import { github } from './github.ts';

it.each([null, []])('reads the addresses %j as none', async (emails) => {
  const account = { id: 7, login: 'ada', name: 'Ada', avatar_url: 'https://github.com/ada.png' };
  const fetch: typeof globalThis.fetch = async (url) =>
    Response.json(String(url).endsWith('/emails') ? emails : account);
  const client = { url: 'https://github.com', clientId: 'id', clientSecret: new Secret('secret') };
  const tokens = {
    accessToken: 'token',
    refreshToken: undefined,
    expiresInSeconds: undefined,
    idToken: undefined,
  };
  expect(await github(client, fetch).profile(tokens, '')).toMatchObject({
    accountId: '7',
    email: undefined,
    isEmailVerified: false,
  });
});
