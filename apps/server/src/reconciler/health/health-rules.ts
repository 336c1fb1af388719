/** What a check of an instance found. `problem`: for the owner of the app, without secrets. */
export type ProbeResult = { kind: 'passed' } | { kind: 'failed'; problem: string };

/** `lagMs`: how late the check began. `elapsedMs`: how long it took. */
export type ProbeTiming = { lagMs: number; elapsedMs: number };

/** A release that became unhealthy soon after it got the traffic. */
export type UnhealthyRelease = { number: number; problem: string };

/** A check may take so long. */
export const PROBE_TIMEOUT_MS = 5_000;
/** A server that is later than this was stalled, and so may the app have been. */
const STALL_MS = 2_000;
/** A release that becomes unhealthy within this time after the switch is rolled back. */
const ROLLBACK_WINDOW_MS = 300_000;

/** The failures in a row after another check. A failure that a stalled server may have caused does not count. */
export function failuresAfter(
  failures: number,
  { kind }: Pick<ProbeResult, 'kind'>,
  { lagMs, elapsedMs }: ProbeTiming,
): number {
  if (kind === 'passed') return 0;
  const isStalled = lagMs > STALL_MS || elapsedMs > PROBE_TIMEOUT_MS + STALL_MS;
  return isStalled ? failures : failures + 1;
}

export type Verdict = 'healthy' | 'replace' | 'roll-back';

type Checked = {
  failures: number;
  threshold: number;
  /** Since its release got the traffic for the first time. Undefined: this server did not see that. */
  sinceSwitchMs: number | undefined;
};

/** What follows from the checks of an instance. A release can be rolled back only if another one served before. */
export function verdictOf({ failures, threshold, sinceSwitchMs }: Checked): Verdict {
  if (failures < threshold) return 'healthy';
  return sinceSwitchMs !== undefined && sinceSwitchMs <= ROLLBACK_WINDOW_MS
    ? 'roll-back'
    : 'replace';
}
