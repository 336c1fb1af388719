import type { Release, TrafficRow } from '@longshore/contract';

/** Of the newest requests to an app. */
export type VisitorErrors = { errors: number; requests: number };

type Now = {
  /** Number of the serving release. */
  serving: number;
  /** Newest first. */
  history: readonly Pick<Release, 'number' | 'outcome' | 'endedAt'>[];
  now: number;
};

const MINUTE_MS = 60_000;
const RECENT_MS = 10 * MINUTE_MS;
/** Older minutes are left out once there are so many requests. */
const ENOUGH_REQUESTS = 5;
/** One alone may be an accident. */
const MIN_ERRORS = 2;
const SERVER_ERROR = 5;

/**
 * The newest requests to the serving release, if at least half of them got a server error. Expects rows of a minute, the oldest
 * first. The minute in which a release went live is left out if another one served in it.
 */
export function visitorErrors(
  traffic: readonly TrafficRow[],
  { serving, history, now }: Now,
): VisitorErrors | undefined {
  const release = history.find(({ number }) => number === serving);
  const isFirst = !history.some(({ number, outcome }) => outcome === 'live' && number < serving);
  const liveAt = Date.parse(release?.endedAt ?? '') || 0;
  const from = Math.max(now - RECENT_MS, isFirst ? liveAt - MINUTE_MS : liveAt);
  let requests = 0;
  let errors = 0;
  for (const { at, statuses } of traffic.toReversed()) {
    if (at < from || requests >= ENOUGH_REQUESTS) break;
    requests += statuses.reduce((sum, count) => sum + count, 0);
    errors += statuses[SERVER_ERROR - 1] ?? 0;
  }
  return errors >= MIN_ERRORS && errors * 2 >= requests ? { errors, requests } : undefined;
}
