import { describe, expect, it } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import type { ReleaseSpec } from './engine.ts';
import {
  buildCredentialsFor,
  noSourceCredentials,
  recordUsedSecrets,
} from './source-credentials.ts';

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
      forBaseImages: async () => ({ credentials: [registry], skipped: [] }),
    },
    (...used) => recorded.push(used),
  );
  expect(await credentials.forGit(request, signal)).toBe(https);
  expect(await credentials.forGit(request, signal)).toBe(ssh);
  expect(await credentials.forRegistry(request, signal)).toBe(registry);
  expect((await credentials.forBaseImages(request, signal)).credentials).toEqual([registry]);
  expect(recorded).toEqual([
    ['ada', ['token']],
    ['ada', ['key']],
    ['ada', ['password', 'dTpwYXNzd29yZA==']],
    ['ada', ['password', 'dTpwYXNzd29yZA==']],
  ]);
});

describe('buildCredentialsFor', () => {
  const own = { name: 'own', host: 'a', username: 'u', password: secret('1') };
  const named = { name: 'named', host: 'b', username: 'u', password: secret('2') };
  const asked: unknown[] = [];
  const credentials = {
    ...noSourceCredentials,
    forRegistry: async (asking: unknown) => {
      asked.push(asking);
      return named;
    },
    forBaseImages: async () => ({ credentials: [own], skipped: ['old: expired'] }),
  };
  const find = (origin: ReleaseSpec['origin']) =>
    buildCredentialsFor({ ownerId: 'ada', origin } as ReleaseSpec, { credentials }, signal);

  it('gives the build of a repository all registries of its owner', async () => {
    const origin = { kind: 'git', url: 'https://a/b.git', ref: '', integrationId: 'git' } as const;
    expect(await find(origin)).toEqual({ credentials: [own], skipped: ['old: expired'] });
  });

  it('gives an image only the integration that it names', async () => {
    const image = { kind: 'image', image: 'b/app' } as const;
    expect(await find({ ...image, integrationId: 'i-1' })).toMatchObject({ credentials: [named] });
    expect(asked).toEqual([{ ownerId: 'ada', integrationId: 'i-1', image: 'b/app' }]);
    expect(await find(image)).toEqual({ credentials: [], skipped: [] });
  });
});
