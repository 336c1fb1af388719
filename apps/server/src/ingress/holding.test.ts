import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createHolding, type Held } from './holding.ts';

function setUp({ heldPerApp = 10, heldAtAll = 10 } = {}) {
  const clock = createSimulatedClock();
  const holding = createHolding({ clock, heldPerApp, heldAtAll });
  const happened: string[] = [];
  const visitor = (appId: string, name = appId, again = () => {}): Held => ({
    appId,
    until: clock.now() + 1_000,
    go() {
      happened.push(`${name} goes`);
      again();
    },
    tooLate: () => void happened.push(`${name} is too late`),
  });
  return { clock, holding, happened, visitor };
}

it('lets the visitors of one app go, and keeps the others', async () => {
  const { clock, holding, happened, visitor } = setUp();
  holding.hold(visitor('one'));
  holding.hold(visitor('two'));
  holding.release('one');
  holding.release('one');
  expect(happened).toEqual(['one goes']);
  await clock.advance(1_000);
  expect(happened).toEqual(['one goes', 'two is too late']);
});

it('counts the time of a visitor who has to wait on', async () => {
  const { clock, holding, happened, visitor } = setUp();
  const held = visitor('one', 'ada', () => holding.hold(held));
  holding.hold(held);
  await clock.advance(600);
  holding.release('one');
  await clock.advance(399);
  expect(happened).toEqual(['ada goes']);
  await clock.advance(1);
  expect(happened).toEqual(['ada goes', 'ada is too late']);
});

it('forgets who left', async () => {
  const { clock, holding, happened, visitor } = setUp();
  const held = visitor('one');
  holding.hold(held);
  holding.drop(held);
  holding.drop(held);
  holding.release('one');
  await clock.advance(1_000);
  expect(happened).toEqual([]);
  expect(clock.pending()).toBe(0);
});

it('has room for so many of one app, and for so many at all', () => {
  const { holding, visitor } = setUp({ heldPerApp: 2, heldAtAll: 3 });
  const kept = ['one', 'one', 'one', 'two', 'three'].map((appId) => holding.hold(visitor(appId)));
  expect(kept).toEqual([true, true, false, true, false]);
  holding.release('one');
  expect(holding.hold(visitor('three'))).toBe(true);
});

it('sends everybody away when it stops', () => {
  const { clock, holding, happened, visitor } = setUp();
  holding.hold(visitor('one'));
  holding.hold(visitor('two'));
  holding.stop();
  expect(happened).toEqual(['one is too late', 'two is too late']);
  expect(clock.pending()).toBe(0);
});
