import { SOCKET_TIMEOUT_MS } from '@longshore/contract';
import type { Clock } from '../ports.ts';
import { openWithinMs } from '../timing/backoff.ts';

/** A silent connection is dead after 30 s: asked after 20, given up 10 later. Spec §9. */
const PING_AFTER_MS = 20_000;
const PONG_WITHIN_MS = SOCKET_TIMEOUT_MS - PING_AFTER_MS;

export type SocketWatchDeps = { clock: Clock; ping(): void; giveUp(): void };

/** Gives a socket up that does not open, is not acknowledged or falls silent. One timer serves all three. */
export function createSocketWatch({ clock, ping, giveUp }: SocketWatchDeps) {
  let failedAttempts = 0;
  let isAcknowledged = false;
  let timer: unknown;

  function next(act: () => void, delayMs: number): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(act, delayMs);
  }

  function heard(): void {
    if (!isAcknowledged) return;
    next(() => {
      ping();
      next(giveUp, PONG_WITHIN_MS);
    }, PING_AFTER_MS);
  }

  return {
    connecting() {
      next(giveUp, openWithinMs(failedAttempts));
      failedAttempts += 1;
    },
    opened: () => next(giveUp, SOCKET_TIMEOUT_MS),
    acknowledged() {
      failedAttempts = 0;
      isAcknowledged = true;
      heard();
    },
    /** Any message shows that somebody is there. */
    heard,
    closed() {
      isAcknowledged = false;
      clock.clearTimeout(timer);
    },
  };
}
