import type { Repository } from '@longshore/contract';
import { expect, it } from 'vitest';
import { sortByActivity } from './sort-repositories.ts';

function repository(full_name: string, activeAt: string | null, id = full_name): Repository {
  const defaults = { description: '', url: '', sshUrl: '', defaultBranch: 'main', isPrivate: true };
  return { ...defaults, id, name: full_name, full_name, activeAt };
}

it('sorts by activity, then by name, and removes duplicates', () => {
  const entries = [
    repository('b', '2026-01-01'),
    repository('never', null),
    repository('a', '2026-01-01'),
    repository('old name', '2026-03-01', '7'),
    repository('newest', '2026-02-01'),
    repository('new name', '2026-03-01', '7'),
  ];
  const sorted = sortByActivity({ entries, isCut: true });
  expect(sorted.entries.map(({ full_name }) => full_name)).toEqual([
    'new name',
    'newest',
    'a',
    'b',
    'never',
  ]);
  expect(sorted.isCut).toBe(true);
});
