import { expect, it } from 'vitest';
import { tickAction } from './keep-alive.ts';

it.each([
  ['an idle socket', 1, 0, true, 'keep-alive'],
  ['a socket without a pong yet', 1, 0, false, 'keep-alive'],
  ['an idle socket at every fifth tick', 5, 0, true, 'ping'],
  ['a socket without a pong since the last ping', 5, 0, false, 'terminate'],
  ['a slow client', 1, 5_000, true, 'nothing'],
  ['a slow client that could not respond', 5, 29_999, false, 'nothing'],
  ['a client that reads nothing', 1, 30_000, true, 'terminate'],
] as const)('%s: %4$s', (_, tick, stalledMs, hasResponded, action) => {
  expect(tickAction(tick, { stalledMs, hasResponded })).toBe(action);
});
