import {
  type AppResource,
  type Detected,
  isHibernated,
  type Release,
  type Serving,
} from '@longshore/contract';
import { type Ingress, urlOfHost } from '../../../lib/public-url.ts';
import { MESSAGES } from '../messages.ts';

export type ServingView = {
  release: number;
  /** Beside the badge: which release serves, and what became of a newer one. */
  text: string;
  newer: { text: string; isBad: boolean } | undefined;
  /** None when the app is not public. */
  urls: string[];
  logName: string;
};

/**
 * What a running app keeps on the page while the specified cards are not shown: during a deployment and after a failed one.
 * The host names are those the server routes, which an edit may have changed before its release serves.
 */
export function servingView(
  { status, values }: AppResource,
  serving: Serving | undefined,
  history: Release[],
  ingress: Ingress,
): ServingView | undefined {
  if (serving === undefined || status === 'synced' || isHibernated(values)) return undefined;
  const { release, logName, hosts } = serving;
  const newest = attemptedRelease(history);
  return {
    release,
    text: MESSAGES.servingRelease(release),
    newer: newest && newest.number > release ? newerView(newest, status) : undefined,
    urls: hosts.map((host) => urlOfHost(ingress, host)),
    logName,
  };
}

/**
 * The release that the status is about: the newest one. After a cancelled release it is the one before, unless none has served.
 * Expects the newest release first.
 */
export function attemptedRelease(history: Release[]): Release | undefined {
  const hasServed = history.some(({ outcome }) => outcome === 'live');
  return hasServed ? history.find(({ outcome }) => outcome !== 'cancelled') : history[0];
}

/** Of the release that serves; otherwise of the newest one that was built. Expects the newest release first. */
export function shownDetection(history: Release[], serving: number | undefined): Detected {
  const known = history.filter(({ detected }) => detected.summary !== undefined);
  const shown = known.find(({ number }) => number === serving) ?? known[0];
  return shown?.detected ?? {};
}

function newerView({ number, outcome }: Release, status: string): ServingView['newer'] {
  const { failed, retrying, deploying } = MESSAGES.newerRelease;
  if (outcome === 'failed') return { text: failed(number), isBad: true };
  if (status === 'backoff') return { text: retrying(number), isBad: true };
  return { text: deploying(number), isBad: false };
}
