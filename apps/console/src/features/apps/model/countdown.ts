import type { Retry } from '@longshore/contract';
import { elapsed } from '../../../lib/relative-time.ts';
import { MESSAGES } from '../messages.ts';

export type Countdown = { text: string; isWaiting: boolean };

/** Time until the next attempt. `now` is the server's time. */
export function countdownTo({ kind, at }: Retry, now: number): Countdown {
  const { waiting, due } = MESSAGES.retry[kind];
  const leftMs = Date.parse(at) - now;
  if (leftMs <= 0) return { text: due, isWaiting: false };
  const wholeSecondsMs = Math.ceil(leftMs / 1_000) * 1_000;
  return { text: waiting(elapsed(0, wholeSecondsMs)), isWaiting: true };
}
