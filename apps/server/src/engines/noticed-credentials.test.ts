import { expect, it } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { noticedCredentials } from './noticed-credentials.ts';

const { signal } = new AbortController();
const asked = { ownerId: 'ada', integrationId: 'i-1', url: '', image: '' };
const secret = (text: string) => new Secret(text);

it('tells whose secret is lent, and lends it', async () => {
  const told: unknown[] = [];
  const https = { kind: 'https', name: 'a', username: 'u', token: secret('token') } as const;
  const ssh = {
    kind: 'ssh',
    name: 'a',
    privateKey: secret('key'),
    hostKeys: [] as string[],
  } as const;
  const registry = { name: 'a', host: 'h', username: 'u', password: secret('password') };
  const git = [https, ssh];
  const credentials = noticedCredentials(
    {
      forGit: async () => git.shift() ?? https,
      forRegistry: async () => registry,
    },
    (...lent) => told.push(lent),
  );
  expect(await credentials.forGit(asked, signal)).toBe(https);
  expect(await credentials.forGit(asked, signal)).toBe(ssh);
  expect(await credentials.forRegistry(asked, signal)).toBe(registry);
  expect(told).toEqual([
    ['ada', ['token']],
    ['ada', ['key']],
    ['ada', ['password']],
  ]);
});
