import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isWatched } from './watch-paths.ts';

it.each([
  ['apps/web/**', 'apps/web/index.ts'],
  ['apps/web/**', 'apps/web/src/pages/index.ts'],
  ['apps/web/**', 'apps/web/.env.production'],
  ['apps/web/**', 'apps/web'],
  ['apps/web', 'apps/web/index.ts'],
  ['apps/web', 'apps/web'],
  ['package.json', 'package.json'],
  ['*.json', 'package.json'],
  ['**/*.json', 'package.json'],
  ['**/*.json', 'apps/web/package.json'],
  ['apps/*/src/**', 'apps/web/src/a.ts'],
  ['apps/**/test/*.ts', 'apps/test/a.ts'],
  ['apps/**/test/*.ts', 'apps/test/web/test/a.ts'],
  ['apps/web?/**', 'apps/web2/a'],
  ['**', 'a'],
  ['*', 'a'],
  ['a*b*c', 'aXbXbXc'],
  ['a**c', 'abc'],
  ['**/a/**/b', 'x/a/y/a/b'],
  ['app/(shop)/[slug]/**', 'app/(shop)/[slug]/page.tsx'],
  ['.github/**', '.github/workflows/ci.yml'],
  ['größe/**', 'größe/a'],
])('%s includes %s', (pattern, path) => {
  expect(isWatched(path, [pattern])).toBe(true);
});

it.each([
  ['apps/web/**', 'apps/webshop/index.ts'],
  ['apps/web/**', 'docs/apps/web/index.ts'],
  ['apps/web', 'apps/web.ts'],
  ['*.json', 'apps/package.json'],
  ['*', 'apps/web'],
  ['apps/*', 'apps/web/index.ts'],
  ['apps/*/src/**', 'apps/web/api/src/a.ts'],
  ['apps/web?/**', 'apps/web/a'],
  ['a?', 'a/'],
  ['app/[slug]/**', 'app/s/page.tsx'],
  ['README.md', 'readme.md'],
  ['.', 'a'],
])('%s does not include %s', (pattern, path) => {
  expect(isWatched(path, [pattern])).toBe(false);
});

it.each([
  ['apps/web/a.ts', true],
  ['apps/web/README.md', false],
  ['apps/web/docs/README.md', true],
  ['README.md', false],
])('lets the last matching pattern decide about %s', (path, isIncluded) => {
  expect(isWatched(path, ['apps/web/**', '!**/*.md', 'apps/web/docs'])).toBe(isIncluded);
});

it('agrees with a regular expression', () => {
  const part = fc.constantFrom('a', 'b', '*', '?', '/', '**/', '/**');
  const pattern = fc.array(part, { maxLength: 6 }).map((parts) => `${parts.join('')}*`);
  const path = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 }).map((it) => it.join(''));
  fc.assert(
    fc.property(pattern, path, (glob, file) => {
      expect(isWatched(file, [glob])).toBe(expressionOf(glob).test(`${file}/`));
    }),
    { numRuns: 2_000, seed: 22 },
  );
});

/** Of a path with a slash at its end. */
function expressionOf(pattern: string): RegExp {
  const segments = pattern.split('/').map((segment) => {
    if (segment === '**') return '(?:[^/]*/)*';
    return `${segment.replaceAll('?', '[^/]').replaceAll(/\*+/g, '[^/]*')}/`;
  });
  return new RegExp(`^${segments.join('')}$`);
}

it.each([
  ['stars in a name', `${'*a'.repeat(120)}b`, 'a'.repeat(2_000)],
  ['stars for folders', `${'**/a/'.repeat(50)}b`, 'a/'.repeat(1_000)],
  ['both', `${'**/*a*a/'.repeat(30)}b`, 'aa/'.repeat(600)],
])('decides about a hostile pattern with many %s at once', (_, pattern, path) => {
  const startedAt = performance.now();
  expect(isWatched(path, [pattern])).toBe(false);
  // A regular expression takes longer than the age of the universe.
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
