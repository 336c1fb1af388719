import { expect, it } from 'vitest';
import { parseProviderUrl } from './provider-url.ts';

it.each([
  ['https://git.example.com', 'https://git.example.com'],
  [' git.example.com/ ', 'https://git.example.com'],
  ['https://Example.com:8443/gitea//', 'https://example.com:8443/gitea'],
  ['git.example.com:3000', 'https://git.example.com:3000'],
  ['http://git.example.com', undefined],
  ['ftp://git.example.com', undefined],
  ['javascript:alert(1)', undefined],
  ['https://ada:pw@git.example.com', undefined],
  ['https://git.example.com?x=1', undefined],
  ['https://git.example.com#x', undefined],
  ['https://', undefined],
  ['', undefined],
])('reads %j as %j', (input, url) => {
  expect(parseProviderUrl(input, { allowLocalSources: false })).toBe(url);
});

it('accepts http if the operator allows local sources', () => {
  expect(parseProviderUrl('http://10.0.0.1:3000/', { allowLocalSources: true })).toBe(
    'http://10.0.0.1:3000',
  );
});
