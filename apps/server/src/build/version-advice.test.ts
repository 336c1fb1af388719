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

it.each([
  ['fits', TRACEBACK, '>=3.9 <4'],
  ['fits exactly', TRACEBACK, '3.11.2'],
  ['is not asked for', TRACEBACK, undefined],
  ['is unknown', ['Exit code 1'], '3.7'],
])('says nothing about a version that %s', (_, lines, wanted) => {
  expect(versionAdvice(lines, wanted)).toEqual([]);
});
