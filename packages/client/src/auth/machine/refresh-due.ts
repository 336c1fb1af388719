import {
  MAX_REFRESH_RETRIES,
  REFRESH_MARGIN_EXTRA_SECONDS,
  REFRESH_MARGIN_MAX_SECONDS,
  REFRESH_MARGIN_SHARE,
} from '@longshore/contract';
import { tokenRetryDelayMs } from '../../timing/backoff.ts';

export type RefreshTimer = {
  /** When the session was received. */
  startedAt: number;
  /** Failures since then. */
  attempts: number;
  lastAttemptAt: number;
};

export type RefreshCheck = {
  now: number;
  expiresAt: number;
  lifetimeSeconds: number;
  timer: RefreshTimer;
  refreshIntervalSeconds?: number | undefined;
};

/** Whether to refresh now (spec-map 9.2). After a failure only the back-off counts; after the last retry, never. */
export function isRefreshDue(check: RefreshCheck): boolean {
  const { now, expiresAt, lifetimeSeconds, timer, refreshIntervalSeconds } = check;
  if (timer.attempts > MAX_REFRESH_RETRIES) return false;
  if (timer.attempts > 0) return now - timer.lastAttemptAt >= tokenRetryDelayMs(timer.attempts);
  if (refreshIntervalSeconds && now - timer.startedAt >= refreshIntervalSeconds * 1000) return true;
  return expiresAt - now < refreshMarginMs(lifetimeSeconds);
}

export function afterFailure(timer: RefreshTimer, now: number): RefreshTimer {
  return { ...timer, attempts: timer.attempts + 1, lastAttemptAt: now };
}

/** min(60 s, half the lifetime) + 1 s (spec-map 9.2.2). */
export function refreshMarginMs(lifetimeSeconds: number): number {
  const share = lifetimeSeconds * REFRESH_MARGIN_SHARE;
  return (Math.min(REFRESH_MARGIN_MAX_SECONDS, share) + REFRESH_MARGIN_EXTRA_SECONDS) * 1000;
}
