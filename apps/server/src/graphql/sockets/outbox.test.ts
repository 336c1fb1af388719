import { expect, it } from 'vitest';
import { createOutbox, type Outbox } from './outbox.ts';

const LONG = 'x'.repeat(300_000);

/** A network that takes a text only when `takeAll` is called. */
function slowNetwork() {
  const sent: string[] = [];
  const taken: (() => void)[] = [];
  const clock = { at: 0, now: () => clock.at };
  let isReading = true;
  let isTerminated = false;
  const outbox = createOutbox(
    {
      send(text, onTaken) {
        sent.push(text.slice(0, 20));
        taken.push(onTaken);
      },
      pause: () => {
        isReading = false;
      },
      resume: () => {
        isReading = true;
      },
      terminate: () => {
        isTerminated = true;
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
    isTerminated: () => isTerminated,
  };
}

it('sends at once while the network is not full', () => {
  const { outbox, sent } = slowNetwork();
  outbox.sendLatest('a', 'first');
  outbox.sendLatest('a', 'second');
  expect(sent).toEqual(['first', 'second']);
});

it('keeps only the latest result of each live query for a slow client', () => {
  const { outbox, sent, takeAll } = slowNetwork();
  void outbox.send(LONG);
  for (let version = 1; version <= 1_000; version += 1) {
    outbox.sendLatest('a', `a${version}`);
    outbox.sendLatest('b', `b${version}`);
  }
  expect(sent).toHaveLength(1);
  takeAll();
  expect(sent.slice(1)).toEqual(['a1000', 'b1000']);
});

it('does not send a result that was discarded', () => {
  const { outbox, sent, takeAll } = slowNetwork();
  void outbox.send(LONG);
  outbox.sendLatest('a', 'gone');
  outbox.discard('a');
  takeAll();
  expect(sent).toHaveLength(1);
});

it('sends waiting results only while the network is not full', () => {
  const { outbox, sent, taken } = slowNetwork();
  void outbox.send(LONG);
  for (const name of ['a', 'b', 'c']) outbox.sendLatest(name, name + LONG);
  taken.shift()?.();
  expect(sent).toHaveLength(2);
});

it('stops reading messages of a slow client, and resumes when it has caught up', () => {
  const { outbox, takeAll, isReading } = slowNetwork();
  void outbox.send(LONG);
  expect(isReading()).toBe(false);
  takeAll();
  expect(isReading()).toBe(true);
});

it('resolves when the network has taken a text', async () => {
  const { outbox, takeAll } = slowNetwork();
  const sent = outbox.send('text').then(() => 'sent');
  takeAll();
  expect(await sent).toBe('sent');
});

it('reports for how long the network has taken nothing', () => {
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
  [
    'results of live queries',
    (outbox: Outbox, at: number) => outbox.sendLatest(`query ${at}`, HUGE),
  ],
  ['single results', (outbox: Outbox) => void outbox.send(HUGE)],
])('disconnects a client that leaves too many %s unread', (_, sendTo) => {
  const { outbox, isTerminated, takeAll } = slowNetwork();
  for (const at of [1, 2, 3]) sendTo(outbox, at);
  expect(isTerminated()).toBe(false);
  takeAll();
  for (const at of [1, 2, 3]) sendTo(outbox, at);
  expect(isTerminated()).toBe(false);
  sendTo(outbox, 4);
  expect(isTerminated()).toBe(true);
});
