import { expect, it } from 'vitest';
import { versionAdvice } from './version-advice.ts';

const TRACEBACK = [
  'Traceback (most recent call last):',
  '  File "/app/.venv/lib/python3.11/site-packages/werkzeug/datastructures.py", line 16, in <module>',
  "ImportError: cannot import name 'Container' from 'collections'",
];

it('names the version that could not be installed, and what to enter', () => {
  expect(versionAdvice(TRACEBACK, '3.7')).toEqual([
    'The project asks for Python 3.7, which could not be installed: it runs with Python 3.11.',
    'Install Python 3.7 on this machine and redeploy, or update the packages for Python 3.11 and enter 3.11 as Python version in the settings.',
  ]);
});

it('names it for an import that fails in the project', () => {
  const lines = [
    ...TRACEBACK.slice(0, 2),
    '  File "/app/shop.py", line 3, in <module>',
    TRACEBACK[2],
  ];
  expect(versionAdvice(lines.map(String), '3.7')).toHaveLength(2);
});

it.each([
  'TypeError: expected str, bytes or os.PathLike object, not NoneType',
  "KeyError: 'TOKEN'",
  "FileNotFoundError: [Errno 2] No such file or directory: 'model.pkl'",
])('says nothing about an error that the project itself raises: %s', (error) => {
  const lines = [...TRACEBACK.slice(0, 2), '  File "/app/shop.py", line 3, in <module>', error];
  expect(versionAdvice(lines, '3.7')).toEqual([]);
});

it.each([
  ['fits', TRACEBACK, '>=3.9 <4'],
  ['fits exactly', TRACEBACK, '3.11.2'],
  ['is not asked for', TRACEBACK, undefined],
  ['is unknown', ['Exit code 1'], '3.7'],
])('says nothing about a version that %s', (_, lines, wanted) => {
  expect(versionAdvice(lines, wanted)).toEqual([]);
});
