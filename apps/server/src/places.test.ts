import { expect, it } from 'vitest';
import { createPlaces } from './places.ts';

const never = new AbortController().signal;
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

it('lets no more in than there are places, and the next when one leaves', async () => {
  const enter = createPlaces(1);
  const leave = await enter(never);
  let isIn = false;
  const second = enter(never).then((leaveSecond) => {
    isIn = true;
    return leaveSecond;
  });
  await settle();
  expect(isIn).toBe(false);
  leave();
  (await second)();
  expect(isIn).toBe(true);
});

it('keeps no place for one who gave up waiting', async () => {
  const enter = createPlaces(1);
  const leave = await enter(never);
  const impatient = new AbortController();
  const waiting = enter(impatient.signal);
  impatient.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  leave();
  (await enter(never))();
});

it('lets the next one in although one before it gave up waiting', async () => {
  const enter = createPlaces(1);
  const leave = await enter(never);
  const impatient = new AbortController();
  const gaveUp = expect(enter(impatient.signal)).rejects.toThrow('enough');
  const patient = enter(never);
  impatient.abort(new Error('enough'));
  await gaveUp;
  leave();
  (await patient)();
});
