import type { Repository } from '@longshore/contract';
import { expect, it } from 'vitest';
import { matchesSearch } from './repository-lists.ts';

const repository = { full_name: 'Team/Web-Shop', description: 'Sells tea' } as Repository;

it.each([
  ['', true],
  ['shop', true],
  ['team/web', true],
  ['TEA', true],
  ['shop  tea', true],
  ['tea shop', true],
  ['shop coffee', false],
  ['.*', false],
])('searches for %j', (search, isFound) => {
  expect(matchesSearch(repository, search)).toBe(isFound);
});
