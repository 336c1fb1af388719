import { isRecord } from './parsed.ts';
import { decodeReleaseCause, type ReleaseCause } from './release-cause.ts';
import { KEPT_RELEASES, type ReleaseValues } from './release-values.ts';

export type ReleaseOutcome = 'live' | 'failed' | 'superseded';

/** What a release is made of, as anybody may see it. */
export type ReleaseMake = {
  /** Of the environment only the marks are told. */
  madeOf: Omit<ReleaseValues, 'env'>;
  /** For each variable the first release that had its value: equal where the values are. */
  envMarks: Record<string, number>;
  /** The commit or digest; unknown until it is built. */
  revision: string | undefined;
};

/** One attempt to run an app, as its history tells it. */
export type Release = ReleaseMake & {
  number: number;
  /** The release whose build it took over. */
  from: number | undefined;
  /** Unknown of those from before it was kept. */
  cause: ReleaseCause | undefined;
  /** Undefined while it is under way. */
  outcome: ReleaseOutcome | undefined;
  /** Why it failed, in the server's sentence. */
  message: string;
  evidence: string[];
  startedAt: string;
  endedAt: string | undefined;
};

/** Those one can go back to: the newest that ever served. */
export function keptReleases<Any extends Pick<Release, 'number' | 'outcome'>>(
  releases: readonly Any[],
): Any[] {
  return releases
    .filter(({ outcome }) => outcome === 'live')
    .sort((one, other) => other.number - one.number)
    .slice(0, KEPT_RELEASES);
}

/** Rows that are not releases are left out. */
export function decodeReleases(rows: unknown): Release[] {
  if (!Array.isArray(rows)) return [];
  return rows.map(decodeRelease).filter((release) => release !== undefined);
}

function decodeRelease(row: unknown): Release | undefined {
  if (!isRecord(row) || typeof row.number !== 'number' || !isMake(row.made_of)) return undefined;
  return {
    number: row.number,
    madeOf: row.made_of,
    envMarks: isRecord(row.env_marks) ? (row.env_marks as Record<string, number>) : {},
    revision: textOf(row.revision),
    from: typeof row.from_release === 'number' ? row.from_release : undefined,
    cause: decodeReleaseCause(row.cause),
    outcome: textOf(row.outcome) as ReleaseOutcome | undefined,
    message: textOf(row.message) ?? '',
    evidence: Array.isArray(row.evidence) ? row.evidence.map(String) : [],
    startedAt: textOf(row.started_at) ?? '',
    endedAt: textOf(row.ended_at),
  };
}

function isMake(value: unknown): value is Release['madeOf'] {
  return (
    isRecord(value) &&
    isRecord(value.source) &&
    isRecord(value.container) &&
    Array.isArray(value.ports)
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
