import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { watchOrphan } from './orphan-watch.ts';

it('lets a worker without a keeper serve until its folder is gone', async () => {
  const clock = createSimulatedClock();
  let isFolderGone = false;
  let stops = 0;
  watchOrphan({
    clock,
    isFolderGone: () => isFolderGone,
    stop() {
      stops += 1;
    },
  });
  await clock.advance(3_600_000);
  expect(stops).toBe(0);
  isFolderGone = true;
  await clock.advance(60_000);
  expect(stops).toBe(1);
});
