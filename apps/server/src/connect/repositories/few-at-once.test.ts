import { expect, it } from 'vitest';
import { createFewAtOnce } from './few-at-once.ts';

it('lets each do a few things at once, and more once one has ended', async () => {
  const fewAtOnce = createFewAtOnce(2);
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const others = Promise.withResolvers<string>();
  const running = [
    fewAtOnce('ada', () => first.promise),
    fewAtOnce('ada', () => second.promise),
    fewAtOnce('eve', () => others.promise),
  ];
  await expect(fewAtOnce('ada', async () => 'third')).rejects.toMatchObject({ status: 429 });
  first.resolve('first');
  expect(await running[0]).toBe('first');
  expect(await fewAtOnce('ada', async () => 'third')).toBe('third');
  second.reject(new Error('failed'));
  await expect(running[1]).rejects.toThrow('failed');
  const both = [fewAtOnce('ada', async () => 1), fewAtOnce('ada', async () => 2)];
  expect(await Promise.all(both)).toEqual([1, 2]);
  others.resolve('hers');
  expect(await running[2]).toBe('hers');
});
