import { SOCKET_TIMEOUT_MS } from '@longshore/contract';
import type { Clock } from '../ports.ts';
import { openTimeoutMs } from '../timing/backoff.ts';

/** A silent connection is closed after 30 s: a ping after 20 s, then 10 s for the response (spec-map 9.3.9). */
const PING_AFTER_MS = 20_000;
const PONG_TIMEOUT_MS = SOCKET_TIMEOUT_MS - PING_AFTER_MS;

export type SocketKeepaliveDeps = { clock: Clock; ping(): void; terminate(): void };

/** Terminates a socket that does not open, is not acknowledged or stops receiving messages. All three share one timer. */
export function createSocketKeepalive({ clock, ping, terminate }: SocketKeepaliveDeps) {
  let failedAttempts = 0;
  let isAcknowledged = false;
  let timer: unknown;

  function schedule(act: () => void, delayMs: number): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(act, delayMs);
  }

  /** Any message shows that the server is still connected. */
  function messageReceived(): void {
    if (!isAcknowledged) return;
    schedule(() => {
      ping();
      schedule(terminate, PONG_TIMEOUT_MS);
    }, PING_AFTER_MS);
  }

  return {
    connecting() {
      schedule(terminate, openTimeoutMs(failedAttempts));
      failedAttempts += 1;
    },
    opened: () => schedule(terminate, SOCKET_TIMEOUT_MS),
    acknowledged() {
      failedAttempts = 0;
      isAcknowledged = true;
      messageReceived();
    },
    messageReceived,
    closed() {
      isAcknowledged = false;
      clock.clearTimeout(timer);
    },
  };
}
