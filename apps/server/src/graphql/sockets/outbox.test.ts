import { expect, it } from 'vitest';
import { createOutbox, type Outbox } from './outbox.ts';

const LONG = 'x'.repeat(300_000);

/** A network that takes a text only when it is told to. */
function slowNetwork() {
  const sent: string[] = [];
  const taken: (() => void)[] = [];
  const clock = { at: 0, now: () => clock.at };
  let isReading = true;
  let isHungUp = false;
  const outbox = createOutbox(
    {
      send(text, left) {
        sent.push(text.slice(0, 20));
        taken.push(left);
      },
      pause: () => {
        isReading = false;
      },
      resume: () => {
        isReading = true;
      },
      hangUp: () => {
        isHungUp = true;
      },
    },
    clock,
  );
  const takeAll = () => {
    for (let take = taken.shift(); take !== undefined; take = taken.shift()) take();
  };
  return {
    outbox,
    sent,
    taken,
    takeAll,
    clock,
    isReading: () => isReading,
    isHungUp: () => isHungUp,
  };
}

it('sends at once while the network takes what it gets', () => {
  const { outbox, sent } = slowNetwork();
  outbox.show('a', 'first');
  outbox.show('a', 'second');
  expect(sent).toEqual(['first', 'second']);
});

it('keeps only the newest answer of each live query for a slow reader', () => {
  const { outbox, sent, takeAll } = slowNetwork();
  void outbox.send(LONG);
  for (let version = 1; version <= 1_000; version += 1) {
    outbox.show('a', `a${version}`);
    outbox.show('b', `b${version}`);
  }
  expect(sent).toHaveLength(1);
  takeAll();
  expect(sent.slice(1)).toEqual(['a1000', 'b1000']);
});

it('lets no answer go that was withdrawn', () => {
  const { outbox, sent, takeAll } = slowNetwork();
  void outbox.send(LONG);
  outbox.show('a', 'gone');
  outbox.withdraw('a');
  takeAll();
  expect(sent).toHaveLength(1);
});

it('does not fill the network again with all that waited', () => {
  const { outbox, sent, taken } = slowNetwork();
  void outbox.send(LONG);
  for (const name of ['a', 'b', 'c']) outbox.show(name, name + LONG);
  taken.shift()?.();
  expect(sent).toHaveLength(2);
});

it('stops listening to who does not read, and goes on when it does', () => {
  const { outbox, takeAll, isReading } = slowNetwork();
  void outbox.send(LONG);
  expect(isReading()).toBe(false);
  takeAll();
  expect(isReading()).toBe(true);
});

it('resolves when a text has left', async () => {
  const { outbox, takeAll } = slowNetwork();
  const left = outbox.send('text').then(() => 'left');
  takeAll();
  expect(await left).toBe('left');
});

it('knows how long nothing has moved', () => {
  const { outbox, taken, clock } = slowNetwork();
  clock.at = 1_000;
  expect(outbox.stalledMs()).toBe(0);
  void outbox.send('one');
  void outbox.send('two');
  clock.at = 3_000;
  expect(outbox.stalledMs()).toBe(2_000);
  taken.shift()?.();
  expect(outbox.stalledMs()).toBe(0);
  clock.at = 4_000;
  expect(outbox.stalledMs()).toBe(1_000);
  taken.shift()?.();
  expect(outbox.stalledMs()).toBe(0);
});

const HUGE = 'x'.repeat(10_000_000);

it.each([
  ['answers that keep coming', (outbox: Outbox, at: number) => outbox.show(`query ${at}`, HUGE)],
  ['answers', (outbox: Outbox) => void outbox.send(HUGE)],
])('hangs up on who leaves too much unread, of %s', (_, give) => {
  const { outbox, isHungUp, takeAll } = slowNetwork();
  for (const at of [1, 2, 3]) give(outbox, at);
  expect(isHungUp()).toBe(false);
  takeAll();
  for (const at of [1, 2, 3]) give(outbox, at);
  expect(isHungUp()).toBe(false);
  give(outbox, 4);
  expect(isHungUp()).toBe(true);
});
