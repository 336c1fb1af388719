import { describe, expect, it } from 'vitest';
import { isAlive, parseProcessStat, readProcessStat } from './process-stat.ts';

const AFTER_NAME =
  '4241 4242 0 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 987654 1 1 18446744073709551615';

describe('parseProcessStat', () => {
  it.each([
    ['a plain name', `4242 (node) S ${AFTER_NAME}`],
    ['a name with brackets and blanks', `4242 (a) R 1 (b) S ${AFTER_NAME}`],
  ])('reads the fields after %s', (_, text) => {
    expect(parseProcessStat(text)).toEqual({ state: 'S', groupId: 4242, startTime: '987654' });
  });

  it('returns undefined for truncated text', () => {
    expect(parseProcessStat('4242 (node) S 1')).toBeUndefined();
  });
});

it('finds this process, and none with an impossible pid', async () => {
  expect(await isAlive(process.pid)).toBe(true);
  expect((await readProcessStat(process.pid))?.startTime).toMatch(/^\d+$/);
  expect(await isAlive(2 ** 30)).toBe(false);
});
