import {
  RETRY_BASE_MS,
  SOCKET_BACKOFF_MAX_MS,
  SOCKET_BACKOFF_MIN_MS,
  SOCKET_MIN_TIMEOUT_MS,
  SOCKET_TIMEOUT_MS,
} from '@longshore/contract';

/** Wire §5.5. */
const OPENING_GROWTH = 1.2;

/** The wait before trying a token again: 5 s, doubled each attempt. Spec §9. */
export function tokenRetryDelayMs(failedAttempts: number): number {
  return RETRY_BASE_MS * 2 ** (failedAttempts - 1);
}

/** The wait before connecting again: 100 ms, doubled each attempt, at most 10 s. Spec §9. */
export function reconnectDelayMs(failedAttempts: number): number {
  return Math.min(SOCKET_BACKOFF_MIN_MS * 2 ** (failedAttempts - 1), SOCKET_BACKOFF_MAX_MS);
}

/** How long a connection may take to open: 1 s, a fifth more after each failure, at most 30 s. Spec §9. */
export function openWithinMs(failedAttempts: number): number {
  const withinMs = Math.round(SOCKET_MIN_TIMEOUT_MS * OPENING_GROWTH ** failedAttempts);
  return Math.min(withinMs, SOCKET_TIMEOUT_MS);
}
