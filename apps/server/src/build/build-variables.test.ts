import { expect, it } from 'vitest';
import { buildVariables } from './build-variables.ts';

const PRIVATE = 'https://user:key@pypi.example/simple';

it.each<[what: string, env: Record<string, string>, added: Record<string, string>]>([
  ['nothing without settings of pip', { PORT: '80' }, {}],
  ['the index of pip', { PIP_INDEX_URL: PRIVATE }, { UV_DEFAULT_INDEX: PRIVATE }],
  ['further indexes of pip', { PIP_EXTRA_INDEX_URL: PRIVATE }, { UV_INDEX: PRIVATE }],
  ['nothing if uv has one', { PIP_INDEX_URL: PRIVATE, UV_INDEX_URL: 'https://own.example' }, {}],
])('gives uv %s', (_, env, added) => {
  expect(buildVariables({ env })).toEqual({ ...env, ...added });
});

it('gives a build the chosen variables only', () => {
  const env = { PIP_INDEX_URL: PRIVATE, TOKEN: 'x' };
  expect(buildVariables({ env, build: { variables: ['TOKEN'] } })).toEqual({ TOKEN: 'x' });
});
