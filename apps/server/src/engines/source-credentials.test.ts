import { expect, it } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { recordUsedSecrets } from './source-credentials.ts';

const { signal } = new AbortController();
const request = { ownerId: 'ada', integrationId: 'i-1', url: '', image: '' };
const secret = (text: string) => new Secret(text);

it('records the owner and each secret, and returns the credential', async () => {
  const recorded: unknown[] = [];
  const https = { kind: 'https', name: 'a', username: 'u', token: secret('token') } as const;
  const ssh = {
    kind: 'ssh',
    name: 'a',
    privateKey: secret('key'),
    hostKeys: [] as string[],
  } as const;
  const registry = { name: 'a', host: 'h', username: 'u', password: secret('password') };
  const git = [https, ssh];
  const credentials = recordUsedSecrets(
    {
      forGit: async () => git.shift() ?? https,
      forRegistry: async () => registry,
    },
    (...used) => recorded.push(used),
  );
  expect(await credentials.forGit(request, signal)).toBe(https);
  expect(await credentials.forGit(request, signal)).toBe(ssh);
  expect(await credentials.forRegistry(request, signal)).toBe(registry);
  expect(recorded).toEqual([
    ['ada', ['token']],
    ['ada', ['key']],
    ['ada', ['password']],
  ]);
});
