import type { Release } from '@longshore/contract';

/** Phases of a deployment, in order. */
export const PHASES = ['queued', 'fetching', 'building', 'starting', 'checking', 'live'] as const;
export type Phase = (typeof PHASES)[number];

/** Keywords of the status message, latest phase first. */
const PHASE_KEYWORDS: [Phase, RegExp][] = [
  ['checking', /\b(?:check|answer|probe|health|respond)/i],
  ['starting', /\b(?:start|launch|boot)/i],
  ['building', /\b(?:build|install|compil)/i],
  ['fetching', /\b(?:fetch|clon|pull|download|checkout)/i],
  ['queued', /\b(?:queue|wait|pending|schedul)/i],
];

/** The first line of the status message names the phase; if it names several, the latest counts. */
export function phaseOf(message: string): Phase {
  const [headline = ''] = message.split('\n');
  return PHASE_KEYWORDS.find(([, keyword]) => keyword.test(headline))?.[0] ?? 'queued';
}

export type DeploymentTime = {
  /** Start of the release in progress; undefined when there is none. */
  since: string | undefined;
  /** Usual duration of such a release; undefined until one has run. */
  usualMs: number | undefined;
};

/** Only recent releases count, because machines and caches change. */
const RECENT_RELEASES = 5;

/** Expects the newest release first. Releases with and without a build of their own are compared only among themselves. */
export function deploymentTime(releases: Release[]): DeploymentTime {
  const [newest] = releases;
  const isInProgress = newest !== undefined && newest.outcome === undefined;
  const isBuilt = !isInProgress || newest.buildReusedFrom === undefined;
  const durations = releases
    .filter(({ outcome }) => outcome === 'live')
    .filter(({ buildReusedFrom }) => (buildReusedFrom === undefined) === isBuilt)
    .slice(0, RECENT_RELEASES)
    .map(({ startedAt, endedAt = startedAt }) => Date.parse(endedAt) - Date.parse(startedAt));
  return { since: isInProgress ? newest.startedAt : undefined, usualMs: median(durations) };
}

/** Number of the release that still serves while the newest one is not live. Expects the newest release first. */
export function previousServingRelease([newest, ...earlier]: Release[]): number | undefined {
  if (newest === undefined || newest.outcome === 'live') return undefined;
  return earlier.find(({ outcome }) => outcome === 'live')?.number;
}

function median(values: number[]): number | undefined {
  const ordered = values.toSorted((one, other) => one - other);
  return ordered[Math.floor(ordered.length / 2)];
}
