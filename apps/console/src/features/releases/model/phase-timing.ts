import type { DeploymentPhase, Release } from '@longshore/contract';

export type PhaseDuration = { phase: DeploymentPhase; ms: number };

export type ReleaseTiming = {
  /** In order. A phase that a retry entered again is listed again. */
  phases: PhaseDuration[];
  totalMs: number;
  /** Of all its builds. */
  buildMs: number;
};

/**
 * How long each phase of an ended release took. Undefined while it is in progress. The last phase of a live release has no
 * duration: going live is its end.
 */
export function releaseTiming(release: Release): ReleaseTiming | undefined {
  const { startedAt, endedAt, phases } = release;
  if (endedAt === undefined) return undefined;
  const end = Date.parse(endedAt);
  const durations = phases
    .map(({ phase, at }, index) => {
      const next = phases[index + 1]?.at;
      return {
        phase,
        ms: Math.max(0, (next === undefined ? end : Date.parse(next)) - Date.parse(at)),
      };
    })
    .filter(({ phase }) => phase !== 'live');
  return {
    phases: durations,
    totalMs: Math.max(0, end - Date.parse(startedAt)),
    buildMs: durations
      .filter(({ phase }) => phase === 'building')
      .reduce((sum, { ms }) => sum + ms, 0),
  };
}

/** The phase in which a release ended without going live. */
export function failedPhase({ outcome, phases }: Release): DeploymentPhase | undefined {
  return outcome === 'failed' || outcome === 'cancelled' ? phases.at(-1)?.phase : undefined;
}
