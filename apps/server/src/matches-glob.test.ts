import { expect, it } from 'vitest';
import { matchesGlob } from './matches-glob.ts';

it.each([
  ['apps/web', 'apps/*', true],
  ['apps/web/src', 'apps/*', false],
  ['apps/web/src', 'apps/**', true],
  ['apps/web', '{apps,packages}/*', true],
  ['packages/ui', '{apps,packages}/*', true],
  ['docs', '{apps,packages}/*', false],
  ['apps/web', 'apps/{api,{web,shop}}', true],
  ['apps/{web}', 'apps/{web}', true],
  ['build:css', 'build:*', true],
  ['build', 'build:*', false],
])('%s and the pattern %s: %s', (path, pattern, isMatch) => {
  expect(matchesGlob(path, pattern)).toBe(isMatch);
});

it.each([
  ['stars', `${'*a'.repeat(120)}b`],
  ['alternatives', '{a,a}'.repeat(120)],
  ['open braces', '{,'.repeat(400)],
  ['characters', '*'.repeat(5_000_000)],
])('decides about a hostile pattern with many %s at once', (_, pattern) => {
  const startedAt = performance.now();
  expect(matchesGlob('a'.repeat(120), pattern)).toBe(false);
  // A regular expression takes minutes, or all of the memory.
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
