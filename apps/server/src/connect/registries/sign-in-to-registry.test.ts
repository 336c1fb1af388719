import { expect, it } from 'vitest';
import { OutboundFailure } from '../../outbound/outbound-fetch.ts';
import { Secret } from '../../secrets/secret.ts';
import { signInToRegistry } from './sign-in-to-registry.ts';

/** Signs in to a host that is unreachable over https and accepts everything over http. Returns the used protocols. */
async function protocolsUsed(addresses: string[], allowLocalSources: boolean): Promise<string[]> {
  const protocols: string[] = [];
  const login = { host: 'registry.example:5000', username: 'ada', password: new Secret('hunter2') };
  await signInToRegistry(
    login,
    {
      fetch: async (url) => {
        protocols.push(new URL(url).protocol);
        if (url.startsWith('http:')) return new Response();
        throw new OutboundFailure('unreachable', 'The host is unreachable');
      },
      sourcePolicy: { allowLocalSources, resolve: async () => addresses },
      settings: { dockerHubUrl: 'https://registry-1.docker.io' },
    },
    new AbortController().signal,
  ).catch(() => {});
  return [...new Set(protocols)];
}

it.each([
  ['a private host', ['10.0.0.7', '127.0.0.1'], true, ['https:', 'http:']],
  ['a private host that is not allowed', ['10.0.0.7'], false, ['https:']],
  ['a public host', ['93.184.216.34'], true, ['https:']],
  ['a host with private and public addresses', ['10.0.0.7', '93.184.216.34'], true, ['https:']],
  ['an unknown host', [], true, ['https:']],
])(
  'sends the password over plain http only to private hosts: %s',
  async (_, addresses, isAllowed, protocols) => {
    expect(await protocolsUsed(addresses, isAllowed)).toEqual(protocols);
  },
);
