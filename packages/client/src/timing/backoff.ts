import {
  RETRY_BASE_MS,
  SOCKET_BACKOFF_MAX_MS,
  SOCKET_BACKOFF_MIN_MS,
  SOCKET_MIN_TIMEOUT_MS,
  SOCKET_TIMEOUT_MS,
} from '@longshore/contract';

/** The growth of the open timeout after each failed attempt. */
const OPENING_GROWTH = 1.2;

/** The wait before a token request is retried: 5 s, doubled each attempt (spec-map 9.2.5). */
export function tokenRetryDelayMs(failedAttempts: number): number {
  return RETRY_BASE_MS * 2 ** (failedAttempts - 1);
}

/** The wait before reconnecting: 100 ms, doubled each attempt, at most 10 s (spec-map 9.3.10). */
export function reconnectDelayMs(failedAttempts: number): number {
  return Math.min(SOCKET_BACKOFF_MIN_MS * 2 ** (failedAttempts - 1), SOCKET_BACKOFF_MAX_MS);
}

/** How long a connection may take to open: 1 s, 20 % more after each failure, at most 30 s (spec-map 9.3.11). */
export function openTimeoutMs(failedAttempts: number): number {
  const timeoutMs = Math.round(SOCKET_MIN_TIMEOUT_MS * OPENING_GROWTH ** failedAttempts);
  return Math.min(timeoutMs, SOCKET_TIMEOUT_MS);
}
