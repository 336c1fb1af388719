import { expect, it } from 'vitest';
import { Secret } from '../../secrets/secret.ts';
import { registryAuth } from './registry-auth.ts';

const credential = (host: string, username: string, password: string) => ({
  name: `${username} at ${host}`,
  host,
  username,
  password: new Secret(password),
});
const base64 = (text: string) => Buffer.from(text).toString('base64');

it('names each registry by its host and port, and Docker Hub by its URL', () => {
  const auth = registryAuth([
    credential('docker.io', 'ada', 'hub-pass'),
    credential('ghcr.io', 'ada', 'p:w"\\ö'),
    credential('localhost:5000', 'bob', 'x'),
  ]);
  expect(JSON.parse(auth?.reveal() ?? '')).toEqual({
    auths: {
      'https://index.docker.io/v1/': { auth: base64('ada:hub-pass') },
      'ghcr.io': { auth: base64('ada:p:w"\\ö') },
      'localhost:5000': { auth: base64('bob:x') },
    },
  });
  expect(String(auth)).not.toContain('auths');
});

it('is undefined without credentials', () => {
  expect(registryAuth([])).toBeUndefined();
});
