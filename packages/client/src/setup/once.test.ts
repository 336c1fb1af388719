import { expect, it } from 'vitest';
import { once } from './once.ts';

it('makes a thing once, and again only after it could not be made', async () => {
  let tries = 0;
  const thing = once(async () => {
    tries += 1;
    if (tries === 1) throw new Error('offline');
    return { tries };
  });
  await expect(thing()).rejects.toThrow('offline');
  expect(await thing()).toBe(await thing());
  expect(tries).toBe(2);
});
