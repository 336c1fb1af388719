import { RETRY_BASE_MS, SOCKET_BACKOFF_MAX_MS, SOCKET_BACKOFF_MIN_MS } from '@longshore/contract';

/** The wait before trying a token again: 5 s, doubled each attempt. Spec §9. */
export function tokenRetryDelayMs(failedAttempts: number): number {
  return RETRY_BASE_MS * 2 ** (failedAttempts - 1);
}

/** The wait before connecting again: 100 ms, doubled each attempt, at most 10 s. Spec §9. */
export function reconnectDelayMs(failedAttempts: number): number {
  return Math.min(SOCKET_BACKOFF_MIN_MS * 2 ** (failedAttempts - 1), SOCKET_BACKOFF_MAX_MS);
}
