import { expect, it } from 'vitest';
import { wantedPython } from './python-version.ts';

it.each([
  ['.python-version', '3.12.1\n', '3.12'],
  ['.python-version', 'pypy3.10\n', undefined],
  ['runtime.txt', 'python-3.9.18', '3.9'],
  ['.tool-versions', 'nodejs 20.1.0\npython 3.13.0\n', '3.13'],
  ['Pipfile', '[requires]\npython_version = "3.8"\n', '3.8'],
  ['pyproject.toml', 'requires-python = ">=3.12"', '>=3.12'],
  ['pyproject.toml', 'requires-python = ">=3.9, <3.12"', '>=3.9 <3.12'],
  ['pyproject.toml', 'requires-python = ">= 3.9, != 3.9.1"', '>=3.9'],
  ['pyproject.toml', 'requires-python = "~=3.11"', '^3.11'],
  ['pyproject.toml', 'requires-python = "~=3.11.2"', '~3.11.2'],
  ['pyproject.toml', 'requires-python = "==3.12.*"', '3.12.*'],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = "^3.11"', '^3.11'],
  ['pyproject.toml', "requires-python = '$(id)'", undefined],
])('reads %s with %j', (file, text, range) => {
  const wanted = wantedPython({ files: [file], texts: { [file]: text } });
  expect(wanted).toEqual(range === undefined ? undefined : { range, source: file });
});
