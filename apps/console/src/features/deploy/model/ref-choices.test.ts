import { expect, it } from 'vitest';
import { refChoices } from './ref-choices.ts';

it('offers the default branch first, then branches, then tags', () => {
  const commit = 'c'.repeat(40);
  const branches = [
    { name: 'dev', isDefault: false, commit },
    { name: 'trunk', isDefault: true, commit },
  ];
  expect(refChoices(branches, [{ name: 'v1', commit }])).toEqual([
    { value: 'trunk', note: 'default branch' },
    { value: 'dev', note: 'branch' },
    { value: 'v1', note: 'tag' },
  ]);
});
