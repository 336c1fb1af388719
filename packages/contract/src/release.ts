import { type BuildInputs, decodeBuildInputs } from './build-inputs.ts';
import { DEPLOYMENT_PHASES, type DeploymentPhase } from './deployment-phase.ts';
import { decodePin, type Pin } from './pin.ts';
import { type Detected, decodeDetected, decodeFixes, type Fix } from './release-findings.ts';
import { RETAINED_RELEASES, type ReleaseValues } from './release-values.ts';
import { isRecord } from './type-guards.ts';

export type ReleaseOutcome = 'live' | 'failed' | 'superseded' | 'cancelled';

/** What a release was made from, without the values of its variables. */
export type ReleaseInputs = {
  values: Omit<ReleaseValues, 'env'>;
  /** For each variable, the number of the first release that had its current value. Equal numbers mean equal values. */
  envVersions: Record<string, number>;
  /** The commit or image digest; undefined until the build has resolved it. */
  revision: string | undefined;
};

/** `token`: name of the personal access token the user signed in with, if any; the name may be empty. */
export type ReleaseActor = { userId: string; name: string; token?: string };

/** What caused a release. Without an `actor`, the operator caused it. */
export type ReleaseCause =
  | { kind: 'edit'; actor?: ReleaseActor }
  | { kind: 'rollback'; to: number; actor?: ReleaseActor }
  /** `bytes`: of the archive. */
  | { kind: 'upload'; bytes: number; actor?: ReleaseActor }
  /** From the provider's webhook. `by` and `subject` are empty where the provider does not send them. */
  | { kind: 'push'; ref: string; commit: string; by: string; subject: string }
  /** The app's deploy hook was called. */
  | { kind: 'deploy-hook' };

/** When a release entered a phase. */
export type PhaseStart = { phase: DeploymentPhase; at: string };

/** One attempt to run an app, as listed in its history. */
export type Release = ReleaseInputs & {
  number: number;
  /** The earlier release whose build this one reuses. */
  buildReusedFrom: number | undefined;
  /** What its build depends on; undefined until it is built, and for builds of older versions. */
  buildInputs: BuildInputs | undefined;
  /** Undefined for releases stored before causes were recorded. */
  cause: ReleaseCause | undefined;
  /** Set if the app was pinned by a rollback when the release was created. */
  pin?: Pin;
  /** The pin of its app now, the same in every release. */
  appPin?: Pin;
  /** Undefined while it is in progress. */
  outcome: ReleaseOutcome | undefined;
  /** Why it failed: the headline of the status message. */
  message: string;
  evidence: string[];
  /** Changes of the settings that probably solve the failure. */
  fixes: Fix[];
  detected: Detected;
  /** In order. A retry enters phases again. */
  phases: PhaseStart[];
  startedAt: string;
  endedAt: string | undefined;
};

/** The releases a user can roll back to: the newest that went live, newest first. */
export function retainedReleases<Any extends Pick<Release, 'number' | 'outcome'>>(
  releases: readonly Any[],
): Any[] {
  return releases
    .filter(({ outcome }) => outcome === 'live')
    .sort((one, other) => other.number - one.number)
    .slice(0, RETAINED_RELEASES);
}

/** Skips malformed rows. */
export function decodeReleases(rows: unknown): Release[] {
  if (!Array.isArray(rows)) return [];
  return rows.map(decodeRelease).filter((release) => release !== undefined);
}

function decodeRelease(row: unknown): Release | undefined {
  if (!isRecord(row) || typeof row.number !== 'number') return undefined;
  if (!isReleaseValues(row.made_of)) return undefined;
  const pin = decodePin(row.pin);
  const appPin = isRecord(row.app) ? decodePin(row.app.pin) : undefined;
  return {
    number: row.number,
    values: row.made_of,
    envVersions: isRecord(row.env_marks) ? (row.env_marks as Record<string, number>) : {},
    revision: stringOrUndefined(row.revision),
    buildReusedFrom: typeof row.from_release === 'number' ? row.from_release : undefined,
    buildInputs: decodeBuildInputs(row.build_inputs),
    cause: decodeReleaseCause(row.cause),
    ...(pin && { pin }),
    ...(appPin && { appPin }),
    outcome: stringOrUndefined(row.outcome) as ReleaseOutcome | undefined,
    message: stringOrUndefined(row.message) ?? '',
    evidence: Array.isArray(row.evidence) ? row.evidence.map(String) : [],
    fixes: decodeFixes(row.fixes),
    detected: decodeDetected(row.detected),
    phases: Array.isArray(row.phases) ? row.phases.flatMap(decodePhaseStart) : [],
    startedAt: stringOrUndefined(row.started_at) ?? '',
    endedAt: stringOrUndefined(row.ended_at),
  };
}

/** A malformed entry and an unknown phase are left out. */
function decodePhaseStart(entry: unknown): PhaseStart[] {
  if (!isRecord(entry) || typeof entry.at !== 'string') return [];
  const phase = DEPLOYMENT_PHASES.find((known) => known === entry.phase);
  return phase === undefined || Number.isNaN(Date.parse(entry.at)) ? [] : [{ phase, at: entry.at }];
}

/** Undefined for unknown kinds and malformed causes. */
export function decodeReleaseCause(stored: unknown): ReleaseCause | undefined {
  if (!isRecord(stored)) return undefined;
  const text = (name: string) => stringOrUndefined(stored[name]) ?? '';
  switch (stored.kind) {
    case 'edit':
      return { kind: 'edit', ...decodeActor(stored) };
    case 'rollback':
      return { kind: 'rollback', to: Number(stored.to), ...decodeActor(stored) };
    case 'upload':
      return { kind: 'upload', bytes: Number(stored.bytes), ...decodeActor(stored) };
    case 'push':
      return {
        kind: 'push',
        ref: text('ref'),
        commit: text('commit'),
        by: text('by'),
        subject: text('subject'),
      };
    case 'deploy-hook':
      return { kind: 'deploy-hook' };
    default:
      return undefined;
  }
}

export function decodeActor({ userId, name, token }: Record<string, unknown>): {
  actor?: ReleaseActor;
} {
  if (typeof userId !== 'string') return {};
  const actor = { userId, name: stringOrUndefined(name) ?? '' };
  return { actor: typeof token === 'string' ? { ...actor, token } : actor };
}

function isReleaseValues(value: unknown): value is Release['values'] {
  return (
    isRecord(value) &&
    isRecord(value.source) &&
    isRecord(value.container) &&
    Array.isArray(value.ports)
  );
}

function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
