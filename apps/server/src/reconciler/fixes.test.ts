import { expect, it } from 'vitest';
import { release } from '../../test/reconciler/plan-fixtures.ts';
import { adviceBeside, fixesOf } from './fixes.ts';

const FRAMES = [
  'Traceback (most recent call last):',
  '  File "/app/shop/main.py", line 3, in <module>',
  '  File "/app/.venv/lib/python3.11/site-packages/sqlalchemy/engine/url.py", line 896, in make_url',
];
const OF_LIBRARY = release(1, {
  detected: {
    versions: { python: '3.10' },
    readVariables: [{ name: 'STORE_URL', file: 'shop/main.py' }],
  },
});

it.each([
  [
    'a variable that is empty',
    'sqlalchemy.exc.ArgumentError: Expected string or URL object, got None',
    ['STORE_URL'],
  ],
  ['a variable that is named', "KeyError: 'TOKEN'", ['TOKEN']],
])('blames %s, and not the version of Python', (_, error, names) => {
  const lines = [...FRAMES, error];
  const fixes = fixesOf({ reason: 'crash-loop', evidence: lines, fixes: [] }, OF_LIBRARY);
  expect(fixes.map((fix) => fix.kind === 'variable' && fix.name)).toEqual(names);
  expect(adviceBeside(fixes, lines, OF_LIBRARY)).toEqual([]);
});

it('gives advice about the version beside variables of an example file', () => {
  const listed = [{ name: 'TOKEN', file: '.env.example' }];
  const ofExample = release(1, { detected: { ...OF_LIBRARY.detected, variables: listed } });
  const lines = [...FRAMES, "AttributeError: module 'collections' has no attribute 'Mapping'"];
  const fixes = fixesOf({ reason: 'crash-loop', evidence: lines, fixes: [] }, ofExample);
  expect(fixes).toHaveLength(1);
  expect(adviceBeside(fixes, lines, ofExample)).toHaveLength(2);
});

it('gives advice about a package that is missing', () => {
  const lines = ["Error: Cannot find module 'express'"];
  expect(adviceBeside([], lines, OF_LIBRARY)).toEqual([
    expect.stringMatching(/^The package express is not installed/),
  ]);
});
