/** The interval of the public server. Legacy clients expect a keep-alive message every 30 s after the first one. */
export const TICK_MS = 5_000;

/** A client that reads nothing for so long is disconnected. */
const MAX_STALL_MS = 30_000;

/** A ping is sent every so many ticks. */
const TICKS_PER_PING = 5;

export type SocketActivity = { stalledMs: number; hasResponded: boolean };

export type TickAction = 'nothing' | 'keep-alive' | 'ping' | 'terminate';

/** What to do with a socket at a tick of the clock. */
export function tickAction(tick: number, { stalledMs, hasResponded }: SocketActivity): TickAction {
  if (stalledMs >= MAX_STALL_MS) return 'terminate';
  // A client that still reads earlier messages gets no more of them.
  if (stalledMs >= TICK_MS) return 'nothing';
  if (tick % TICKS_PER_PING !== 0) return 'keep-alive';
  return hasResponded ? 'ping' : 'terminate';
}
