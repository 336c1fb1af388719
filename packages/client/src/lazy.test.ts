import { expect, it } from 'vitest';
import { lazy } from './lazy.ts';

it('loads a value once, and again only after a failed load', async () => {
  let tries = 0;
  const value = lazy(async () => {
    tries += 1;
    if (tries === 1) throw new Error('offline');
    return { tries };
  });
  await expect(value()).rejects.toThrow('offline');
  expect(await value()).toBe(await value());
  expect(tries).toBe(2);
});
