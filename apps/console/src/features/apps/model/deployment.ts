import type { DeploymentPhase, PhaseStart, Release } from '@longshore/contract';

export type DeploymentTime = {
  /** Start of the release in progress; undefined when there is none. */
  since: string | undefined;
  /** Of the release in progress. */
  phases: PhaseStart[];
  /** Usual duration of such a release; undefined until one has run. */
  usualMs: number | undefined;
};

/** Only recent releases count, because machines and caches change. */
const RECENT_RELEASES = 5;

/** How long a release in progress has been in each phase, retries included. */
export function phaseDurations(
  phases: PhaseStart[],
  nowMs: number,
): Partial<Record<DeploymentPhase, number>> {
  const durations: Partial<Record<DeploymentPhase, number>> = {};
  for (const [index, { phase, at }] of phases.entries()) {
    const next = phases[index + 1]?.at;
    const ms = (next === undefined ? nowMs : Date.parse(next)) - Date.parse(at);
    durations[phase] = (durations[phase] ?? 0) + Math.max(0, ms);
  }
  return durations;
}

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
  return {
    since: isInProgress ? newest.startedAt : undefined,
    phases: isInProgress ? newest.phases : [],
    usualMs: median(durations),
  };
}

function median(values: number[]): number | undefined {
  const ordered = values.toSorted((one, other) => one - other);
  return ordered[Math.floor(ordered.length / 2)];
}
