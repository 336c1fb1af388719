import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createFirstObservations } from './first-observations.ts';

const { signal } = new AbortController();

function setUp() {
  const clock = createSimulatedClock();
  const observations = createFirstObservations(clock);
  const over: string[] = [];
  const waitFor = (name: string) => void observations.over(signal).then(() => over.push(name));
  return { clock, observations, over, waitFor };
}

it('is over once no other app is observed for a second', async () => {
  const { clock, observations, over, waitFor } = setUp();
  waitFor('log');
  for (const appId of ['a', 'b', 'c']) {
    observations.record(appId);
    await clock.advance(900);
  }
  observations.record('a');
  expect(over).toEqual([]);
  await clock.advance(100);
  expect(over).toEqual(['log']);
});

it('begins with the first app, and is not delayed by apps that are created later', async () => {
  const { clock, observations, over, waitFor } = setUp();
  await clock.advance(30_000);
  observations.record('first');
  await clock.advance(1_000);
  observations.record('new');
  waitFor('log');
  await clock.advance(0);
  expect(over).toEqual(['log']);
});

it('ends after two minutes, however many apps there are', async () => {
  const { clock, observations, over, waitFor } = setUp();
  waitFor('log');
  for (let app = 0; app < 239; app += 1) {
    await clock.advance(500);
    observations.record(`app-${app}`);
  }
  expect(over).toEqual([]);
  await clock.advance(500);
  expect(over).toEqual(['log']);
});

it('ends the wait of a log that is not needed any more', async () => {
  const { observations } = setUp();
  const stopping = new AbortController();
  const waiting = observations.over(stopping.signal);
  stopping.abort(new Error('The pod is gone'));
  await expect(waiting).rejects.toThrow('The pod is gone');
});
