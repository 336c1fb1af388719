import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostAndPath } from './host-and-path.ts';

it.each([
  ['http://localhost:1337/v1/auth/token', 'localhost:1337', '/v1/auth/token'],
  ['https://[::1]:8000/', '[::1]:8000', '/'],
  ['http://localhost/verify?ticket=a/b?c', 'localhost', '/verify'],
  ['http://localhost/a%0Ab#c?d', 'localhost', '/a%0Ab'],
  ['http://localhost//evil.example/', 'localhost', '//evil.example/'],
])('splits %s', (url, host, path) => {
  expect(hostAndPath(url)).toEqual({ host, path });
});

it('splits every URL as the URL parser does', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
      const { href, host, pathname } = new URL(text);
      expect(hostAndPath(href)).toEqual({ host, path: pathname });
    }),
    { numRuns: 50 },
  );
});
