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

it('lets nobody who comes later go first', async () => {
  const enter = createPlaces(1);
  const leave = await enter();
  const came: string[] = [];
  const come = (name: string) =>
    enter().then((leaveAgain) => {
      came.push(name);
      leaveAgain();
    });
  const second = come('second');
  leave();
  await Promise.all([come('third'), second]);
  expect(came).toEqual(['second', 'third']);
});

it('gives no place to one who had given up before', async () => {
  const enter = createPlaces(1);
  await expect(enter(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  (await enter())();
});
