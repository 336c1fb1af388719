import { appNameProblem } from '@longshore/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { appNameOf } from './app-name-of.ts';

it.each([
  ['acme/shop', 'shop'],
  ['acme/web/Shop_Front.js', 'shop-front-js'],
  ['acme/.github', 'github'],
  ['acme/店', ''],
])('the app of %s is called %j', (repository, name) => {
  expect(appNameOf(repository)).toBe(name);
});

it('is a good name, or none', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 90 }), (repository) => {
      const name = appNameOf(repository);
      expect(name === '' || appNameProblem(name) === undefined).toBe(true);
    }),
  );
});
