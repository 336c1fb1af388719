import { join, normalize } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidateFiles } from './find-module.ts';

describe('the files of a path', () => {
  it.each([
    [
      '/hello',
      ['hello.ts', 'hello.js', 'hello.mjs', 'hello/index.ts', 'hello/index.js', 'hello/index.mjs'],
    ],
    ['/', ['index.ts', 'index.js', 'index.mjs']],
    ['', ['index.ts', 'index.js', 'index.mjs']],
    [
      '/a//b-2/',
      ['a/b-2.ts', 'a/b-2.js', 'a/b-2.mjs', 'a/b-2/index.ts', 'a/b-2/index.js', 'a/b-2/index.mjs'],
    ],
  ])('%s', (path, files) => {
    expect(candidateFiles(path)).toEqual(files);
  });

  it.each([
    '/../keys',
    '/a/..',
    '/.env',
    '/_shared',
    '/a/_b',
    '/a.ts',
    '/a%2fb',
    '/a\\b',
    '/a\0',
    '/node_modules/a',
    `/${'a/'.repeat(11)}`,
    `/${'a'.repeat(101)}`,
    '/ü',
  ])('are none for %s', (path) => {
    expect(candidateFiles(path)).toEqual([]);
  });

  it('are always inside the folder', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '.', '/', '\\', '_', '%', '\0') }),
        (path) => {
          for (const file of candidateFiles(path)) {
            expect(normalize(join('/functions', file))).toBe(`/functions/${file}`);
            expect(file).not.toMatch(/(^|\/)[._]/);
          }
        },
      ),
    );
  });
});
