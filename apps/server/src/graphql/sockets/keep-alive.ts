/** The public server's, which legacy clients count on: after one, they want the next within 30 s. */
export const TICK_MS = 5_000;

/** A reader that takes nothing for so long has gone, or might as well have. */
const MAX_STALL_MS = 30_000;

/** Every how many ticks a socket is asked whether anybody is there. */
const PING_TICKS = 5;

export type Pulse = { stalledMs: number; hasAnswered: boolean };

export type PulseAct = 'nothing' | 'keep-alive' | 'ping' | 'hang-up';

/** What a tick of the clock means for a socket. */
export function pulse(tick: number, { stalledMs, hasAnswered }: Pulse): PulseAct {
  if (stalledMs >= MAX_STALL_MS) return 'hang-up';
  // One that is busy with what it was sent would only get more of it.
  if (stalledMs >= TICK_MS) return 'nothing';
  if (tick % PING_TICKS !== 0) return 'keep-alive';
  return hasAnswered ? 'ping' : 'hang-up';
}
