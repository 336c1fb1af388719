import { describe, expect, it } from 'vitest';
import { Secret } from '../../secrets/secret.ts';
import { parseImageName, resolveImage, tokenUrl } from './resolve-image.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const { signal } = new AbortController();

it.each([
  ['nginx', { host: 'docker.io', repository: 'library/nginx', reference: 'latest' }],
  ['ada/shop:2', { host: 'docker.io', repository: 'ada/shop', reference: '2' }],
  ['index.docker.io/ada/shop', { host: 'docker.io', repository: 'ada/shop', reference: 'latest' }],
  ['host:5000/shop', { host: 'host:5000', repository: 'shop', reference: 'latest' }],
  [`host:5000/a/b:1@${DIGEST}`, { host: 'host:5000', repository: 'a/b', reference: DIGEST }],
])('reads the name %s', (name, expected) => {
  expect(parseImageName(name)).toEqual(expected);
});

it.each([
  ['Basic realm="test"', undefined],
  ['Bearer service="only"', undefined],
  [
    'Bearer realm="https://auth.example.com/token",service="registry"',
    'https://auth.example.com/token?service=registry&scope=repository%3Aa%2Fb%3Apull',
  ],
])('finds the token server in %s', (challenge, url) => {
  expect(tokenUrl(challenge, 'a/b')).toBe(url);
});

describe('an image in a registry', () => {
  const manifest = { config: { digest: 'sha256:config' } };
  const index = {
    manifests: [
      { digest: 'sha256:windows', platform: { os: 'windows' } },
      { digest: 'sha256:linux', platform: { os: 'linux' } },
    ],
  };
  const answers: Record<string, object> = {
    '/v2/library/shop/manifests/latest': index,
    '/v2/library/shop/manifests/sha256:linux': manifest,
    '/v2/library/shop/blobs/sha256:config': {
      config: { ExposedPorts: { '8080/tcp': {}, '53/udp': {} } },
    },
    '/token': { token: 'bearer-token' },
  };
  const credential = {
    name: 'hub',
    host: 'docker.io',
    username: 'ada',
    password: new Secret('pw'),
  };

  function depsOf(requests: string[], status = 200) {
    return {
      registries: { registry: undefined, mirror: undefined },
      async fetch(url: string, { headers = {} }: { headers?: Record<string, string> } = {}) {
        const { pathname } = new URL(url);
        requests.push(`${pathname} ${headers.authorization ?? 'anonymous'}`);
        if (pathname !== '/token' && headers.authorization === undefined) {
          const challenge = 'Bearer realm="https://auth.example.com/token"';
          return new Response('', { status: 401, headers: { 'www-authenticate': challenge } });
        }
        const body = JSON.stringify(answers[pathname]);
        const found = pathname === '/token' ? 200 : status;
        return new Response(body, { status: found, headers: { 'docker-content-digest': DIGEST } });
      },
    };
  }

  it('is found with the token of its registry, with its digest and ports', async () => {
    const requests: string[] = [];
    expect(await resolveImage('shop', credential, depsOf(requests), signal)).toEqual({
      image: `docker.io/library/shop@${DIGEST}`,
      digest: DIGEST,
      exposedPorts: [8080],
    });
    expect(requests.slice(0, 3)).toEqual([
      '/v2/library/shop/manifests/latest anonymous',
      `/token Basic ${Buffer.from('ada:pw').toString('base64')}`,
      '/v2/library/shop/manifests/latest Bearer bearer-token',
    ]);
  });

  it.each([
    [404, 'image-not-found'],
    [403, 'image-refused'],
    [503, 'registry-unreachable'],
  ])('fails when the registry responds with %i', async (status, reason) => {
    const resolving = resolveImage('shop', undefined, depsOf([], status), signal);
    await expect(resolving).rejects.toMatchObject({ reason });
  });
});
