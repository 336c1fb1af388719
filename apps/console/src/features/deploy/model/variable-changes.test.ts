import { expect, it } from 'vitest';
import { changedRows, variableChangesText } from './variable-changes.ts';

const before = { A: '1', B: '2', C: '3' };

it('names added, changed and removed variables, without their values', () => {
  expect(variableChangesText(before, { A: '1', B: '20', D: '4' })).toBe(
    'B changed, D added, C removed',
  );
  expect(variableChangesText(before, before)).toBe('');
});

it('does not take inherited names for variables', () => {
  expect(variableChangesText({}, { constructor: 'x' })).toBe('constructor added');
});

it('marks the rows that differ', () => {
  const rows = [
    { id: '1', key: 'A', value: '1' },
    { id: '2', key: ' B ', value: '20' },
    { id: '3', key: 'D', value: '4' },
    { id: '4', key: 'E', value: '' },
    { id: '5', key: '', value: 'x' },
  ];
  expect(changedRows(rows, before)).toEqual({ 2: 'changed', 3: 'new' });
});
