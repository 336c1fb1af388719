import { describe, expect, it } from 'vitest';
import { median, percentile } from './statistics.ts';

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

describe('median', () => {
  it.each([
    ['one value', [7], 7],
    ['an odd number, in any order', [9, 1, 5], 5],
    ['an even number', [4, 1, 3, 2], 2.5],
    ['numbers that sort differently as text', [10, 9, 100], 10],
  ])('of %s', (_, values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('does not modify its input', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('throws without values', () => {
    expect(() => median([])).toThrow('No rounds were measured');
  });
});

describe('percentile', () => {
  it.each([
    ['half', hundred, 0.5, 50],
    ['99 in 100', hundred, 0.99, 99],
    ['99 in 100 of few', [3, 1, 2], 0.99, 3],
    ['all', hundred, 1, 100],
    ['none', hundred, 0, 1],
  ])('of %s', (_, values, share, expected) => {
    expect(percentile(values, share)).toBe(expected);
  });

  it('throws without values', () => {
    expect(() => percentile([], 0.5)).toThrow('No rounds were measured');
  });
});
