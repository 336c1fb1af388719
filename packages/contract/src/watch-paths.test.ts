import { expect, it } from 'vitest';
import { parseWatchPaths } from './watch-paths.ts';

it.each<[string, unknown, string[] | undefined]>([
  ['nothing', undefined, undefined],
  ['null', null, undefined],
  ['an empty list', [], undefined],
  ['patterns', ['apps/web/**', '*.json'], ['apps/web/**', '*.json']],
  ['spaces around a pattern', [' apps/web '], ['apps/web']],
  ['a folder with a slash at its end', ['apps/web/'], ['apps/web']],
  ['repeated slashes and dots', ['./apps//web/./**'], ['apps/web/**']],
  ['a repeated pattern', ['a', 'a/'], ['a']],
  ['an exclusion', ['apps/web/**', '! **/*.md'], ['apps/web/**', '!**/*.md']],
  ['folders of Next.js', ['app/(shop)/[slug]/**'], ['app/(shop)/[slug]/**']],
  ['names with dots', ['.github/..hidden/a..b'], ['.github/..hidden/a..b']],
])('accepts %s', (_, value, patterns) => {
  expect(parseWatchPaths(value)).toEqual({ ok: true, value: patterns });
});

it.each<[string, unknown, string]>([
  ['text', 'apps/web/**', 'Must be a list of patterns'],
  ['an object', { 0: 'a' }, 'Must be a list of patterns'],
  ['a number in the list', ['a', 7], 'Each pattern must be text'],
  ['an empty pattern', [''], '"": Must name a file or folder'],
  ['only a dot', ['./'], '"./": Must name a file or folder'],
  ['only an exclamation mark', ['a', '!'], '"!": Must name a file or folder'],
  ['an absolute path', ['/apps'], '"/apps": Must be a relative path, without / at its start'],
  ['an absolute exclusion', ['a', '!/b'], '"!/b": Must be a relative path, without / at its start'],
  ['a parent folder', ['apps/../../etc'], '"apps/../../etc": Must not contain ..'],
  ['a backslash', ['apps\\web'], '"apps\\\\web": Folders must be separated by /'],
  ['a line break', ['a\nb'], '"a\\nb": Must not contain control characters'],
  [
    'braces',
    ['apps/{web,api}/**'],
    '"apps/{web,api}/**": Braces are not supported. Use one pattern for each alternative',
  ],
  ['a long pattern', ['a'.repeat(256)], `"${'a'.repeat(256)}": Must have at most 255 characters`],
  ['many patterns', Array(21).fill('a'), 'At most 20 patterns are allowed'],
  ['only exclusions', ['!docs'], 'At least one pattern must not start with !'],
])('refuses %s', (_, value, message) => {
  expect(parseWatchPaths(value)).toEqual({ ok: false, field: 'watchPaths', message });
});
