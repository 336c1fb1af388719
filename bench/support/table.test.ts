import { describe, expect, it } from 'vitest';
import { table } from './table.ts';

const rowOf = (...measurement: Parameters<typeof table>[0]) =>
  (table(measurement).split('\n')[1] ?? '').split(/\s{2,}/);

describe('table', () => {
  it('shows a value with its baseline, ratio and budget', () => {
    const baseline = { name: 'an empty server', value: 40 };
    expect(rowOf({ name: 'ready', unit: 'ms', value: 800, baseline, budget: 3000 })).toEqual([
      'ready',
      '800 ms',
      '40.0 ms',
      '×20.0',
      '3000 ms',
      'within',
      'an empty server',
    ]);
  });

  it.each([
    ['at its budget', 150, 'within'],
    ['above its budget', 150.1, 'over'],
  ])('judges a value %s', (_, value, verdict) => {
    expect(rowOf({ name: 'memory', unit: 'MB', value, budget: 150 }).at(-1)).toBe(verdict);
  });

  it.each([
    ['at the minimum ratio to its baseline', 45, 'within'],
    ['below the minimum ratio to its baseline', 44.9, 'under'],
  ])('judges a value %s', (_, value, verdict) => {
    const baseline = { name: 'a bare server', value: 50 };
    const row = rowOf({ name: 'responses', unit: '/s', value, baseline, minRatio: 0.9 });
    expect(row.slice(-4)).toEqual(['×0.90', '≥ ×0.90', verdict, 'a bare server']);
  });

  it('shows no ratio to a baseline of zero', () => {
    const baseline = { name: 'an empty server', value: 0 };
    expect(table([{ name: 'CPU', unit: '%', value: 0.1, baseline }])).not.toContain('×');
  });

  it('aligns columns', () => {
    const [head = '', first = '', second = ''] = table([
      { name: 'short', unit: 'ms', value: 1, budget: 2 },
      { name: 'a name with many words', unit: 'kB', value: 1234, budget: 2 },
    ]).split('\n');
    expect(first.indexOf('2.00')).toBe(second.indexOf('2.00'));
    expect(head.indexOf('budget') + 'budget'.length).toBe(first.indexOf(' ms', 70) + ' ms'.length);
  });
});
