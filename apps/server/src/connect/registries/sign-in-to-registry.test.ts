import { expect, it } from 'vitest';
import { OutboundFailure } from '../../outbound/outbound-fetch.ts';
import { Secret } from '../../secrets/secret.ts';
import { signInToRegistry } from './sign-in-to-registry.ts';

/** Where https is answered by nobody, and http by a registry that takes everything. */
async function askedOver(addresses: string[], allowLocalSources: boolean): Promise<string[]> {
  const asked: string[] = [];
  const login = { host: 'registry.example:5000', username: 'ada', password: new Secret('hunter2') };
  await signInToRegistry(
    login,
    {
      fetch: async (url) => {
        asked.push(new URL(url).protocol);
        if (url.startsWith('http:')) return new Response();
        throw new OutboundFailure('unreachable', 'It cannot be reached');
      },
      guard: { allowLocalSources, resolve: async () => addresses },
      settings: { dockerHubUrl: 'https://registry-1.docker.io' },
    },
    new AbortController().signal,
  ).catch(() => {});
  return [...new Set(asked)];
}

it.each([
  ['a host of the own network', ['10.0.0.7', '127.0.0.1'], true, ['https:', 'http:']],
  ['a host of the own network that nobody allowed', ['10.0.0.7'], false, ['https:']],
  ['a host elsewhere', ['93.184.216.34'], true, ['https:']],
  ['a host that is elsewhere too', ['10.0.0.7', '93.184.216.34'], true, ['https:']],
  ['a host that nobody knows', [], true, ['https:']],
])(
  'brings no password in the open to who is not in the own network: %s',
  async (_, addresses, isAllowed, protocols) => {
    expect(await askedOver(addresses, isAllowed)).toEqual(protocols);
  },
);
