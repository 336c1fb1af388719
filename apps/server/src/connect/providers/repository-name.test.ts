import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ownedRepository, repositoryParts } from './repository-name.ts';

it.each([
  ['ada/app', 'ada/app'],
  ['ada/app.js_1-2', 'ada/app.js_1-2'],
  ['Größe/app', 'Gr%C3%B6%C3%9Fe/app'],
])('encodes %s', (name, encoded) => {
  expect(ownedRepository(name)).toBe(encoded);
});

it('accepts nested groups', () => {
  expect(repositoryParts('a/b/c/d')).toEqual(['a', 'b', 'c', 'd']);
  expect(() => ownedRepository('a/b/c')).toThrow('not-found');
});

it.each([
  '',
  'app',
  '7',
  '/',
  'a/',
  '/a',
  'a//b',
  'a/..',
  './a',
  'a/../b',
  'a b/c',
  'a/b?c',
  'a/b#c',
  'a/%2e',
  'a\\b/c',
  'a/b\n',
  `${'a/'.repeat(30)}a`,
])('rejects %j', (name) => {
  expect(() => repositoryParts(name)).toThrow('not-found');
});

it('never changes the path of the API', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (owner, name) => {
      let path: string;
      try {
        path = ownedRepository(`${owner}/${name}`);
      } catch {
        return;
      }
      const { pathname, search } = new URL(`https://api.example/repos/${path}/hooks`);
      expect(pathname).toMatch(/^\/repos\/[^/]+\/[^/]+\/hooks$/);
      expect(search).toBe('');
    }),
  );
});
