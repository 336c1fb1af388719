import type { Release } from '@longshore/contract';

export type DeploymentTime = {
  /** When the release under way began; undefined when none is known. */
  since: string | undefined;
  /** How long one like it took, once one has run. */
  usualMs: number | undefined;
};

/** Machines and caches change: only the last few tell what is usual. */
const REMEMBERED = 5;

/** Newest first. A release that took over the build of another says nothing of how long a build takes. */
export function deploymentTime(releases: Release[]): DeploymentTime {
  const [newest] = releases;
  const isUnderWay = newest !== undefined && newest.outcome === undefined;
  const isBuilt = !isUnderWay || newest.buildReusedFrom === undefined;
  const durations = releases
    .filter(
      ({ outcome, buildReusedFrom }) =>
        outcome === 'live' && (buildReusedFrom === undefined) === isBuilt,
    )
    .slice(0, REMEMBERED)
    .map(({ startedAt, endedAt = startedAt }) => Date.parse(endedAt) - Date.parse(startedAt));
  return { since: isUnderWay ? newest.startedAt : undefined, usualMs: median(durations) };
}

function median(values: number[]): number | undefined {
  const ordered = values.toSorted((one, other) => one - other);
  return ordered[Math.floor(ordered.length / 2)];
}
