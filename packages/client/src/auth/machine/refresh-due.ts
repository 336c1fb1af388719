import {
  MAX_REFRESH_RETRIES,
  REFRESH_MARGIN_EXTRA_SECONDS,
  REFRESH_MARGIN_MAX_SECONDS,
  REFRESH_MARGIN_SHARE,
} from '@longshore/contract';
import { tokenRetryDelayMs } from '../../timing/backoff.ts';

export type RefreshTimer = {
  /** When the session arrived. */
  startedAt: number;
  /** Failures since then. */
  attempts: number;
  lastAttemptAt: number;
};

export type RefreshQuestion = {
  now: number;
  expiresAt: number;
  lifetimeSeconds: number;
  timer: RefreshTimer;
  refreshIntervalSeconds?: number | undefined;
};

/** Spec §9, Token refresh timer. After a failure only the back-off decides; after the last retry, nothing. */
export function isRefreshDue(question: RefreshQuestion): boolean {
  const { now, expiresAt, lifetimeSeconds, timer, refreshIntervalSeconds } = question;
  if (timer.attempts > MAX_REFRESH_RETRIES) return false;
  if (timer.attempts > 0) return now - timer.lastAttemptAt >= tokenRetryDelayMs(timer.attempts);
  if (refreshIntervalSeconds && now - timer.startedAt >= refreshIntervalSeconds * 1000) return true;
  return expiresAt - now < refreshMarginMs(lifetimeSeconds);
}

export function afterFailure(timer: RefreshTimer, now: number): RefreshTimer {
  return { ...timer, attempts: timer.attempts + 1, lastAttemptAt: now };
}

/** min(60 s, half the lifetime) + 1 s. Spec §9. */
export function refreshMarginMs(lifetimeSeconds: number): number {
  const share = lifetimeSeconds * REFRESH_MARGIN_SHARE;
  return (Math.min(REFRESH_MARGIN_MAX_SECONDS, share) + REFRESH_MARGIN_EXTRA_SECONDS) * 1000;
}
