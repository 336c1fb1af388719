import { expect, it } from 'vitest';
import { unreachableHost } from './unreachable-host.ts';

it.each([
  ['npm ERR! Error: getaddrinfo ENOTFOUND github.com', 'github.com'],
  [
    'FetchError: request failed, reason: getaddrinfo EAI_AGAIN fonts.googleapis.com',
    'fonts.googleapis.com',
  ],
  ["npm ERR!   hostname: 'github.com'", 'github.com'],
  ["  hostname: 'fonts.gstatic.com'", 'fonts.gstatic.com'],
  ['dial tcp: lookup example.com on 10.0.0.1:53: no such host', 'example.com'],
  ['curl: (6) Could not resolve host: example.com', 'example.com'],
  ['error: Failed to download https://github.com/astral-sh/x.tar.gz', 'github.com'],
  ["HTTPSConnectionPool(host='example.com', port=443): NameResolutionError(...)", 'example.com'],
  ['Failed to fetch `Geist Mono` from Google Fonts.', 'fonts.googleapis.com'],
  ['Error: Cannot find module', undefined],
])('finds the host in %j: %s', (line, host) => {
  const sentence = unreachableHost(['first', line]);
  if (host === undefined) expect(sentence).toBeUndefined();
  else expect(sentence).toMatch(`The build downloads from ${host},`);
});
