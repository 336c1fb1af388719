import type { AppResource, Release, TrafficRow } from '@longshore/contract';

/** Of the newest requests to an app. */
export type VisitorErrors = { errors: number; requests: number };

type Serving = {
  app: Pick<AppResource, 'updatedAt'>;
  /** The release that serves. */
  release: Pick<Release, 'endedAt'> | undefined;
  now: number;
};

const RECENT_MS = 10 * 60_000;
/** Older minutes are left out once there are so many requests. */
const ENOUGH_REQUESTS = 5;
/** One alone may be an accident. */
const MIN_ERRORS = 2;
const SERVER_ERROR = 5;

/**
 * The newest requests, if at least half of them got a server error. Expects rows of a minute, the oldest first. Minutes that began
 * before the release went live, or before the last edit, are left out: the edge answers with server errors while an app starts,
 * is hibernated or in maintenance.
 */
export function visitorErrors(
  traffic: readonly TrafficRow[],
  { app, release, now }: Serving,
): VisitorErrors | undefined {
  const from = Math.max(
    now - RECENT_MS,
    Date.parse(app.updatedAt) || 0,
    Date.parse(release?.endedAt ?? '') || 0,
  );
  let requests = 0;
  let errors = 0;
  for (const { at, statuses } of traffic.toReversed()) {
    if (at < from || requests >= ENOUGH_REQUESTS) break;
    requests += statuses.reduce((sum, count) => sum + count, 0);
    errors += statuses[SERVER_ERROR - 1] ?? 0;
  }
  return errors >= MIN_ERRORS && errors * 2 >= requests ? { errors, requests } : undefined;
}
