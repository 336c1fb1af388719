import { decodeServing, type Serving } from './observed-state.ts';
import type { ReleaseOutcome } from './release.ts';
import { isRecord } from './type-guards.ts';

/** The newest release of an app, for lists of apps. */
export type LatestRelease = {
  appId: string;
  number: number;
  /** Undefined while it is in progress. */
  outcome: ReleaseOutcome | undefined;
  startedAt: string;
  endedAt: string | undefined;
  /** The release that serves, which may be an older one. */
  serving: Serving | undefined;
};

/** Skips malformed rows. */
export function decodeLatestReleases(rows: unknown): LatestRelease[] {
  return Array.isArray(rows) ? rows.flatMap(decodeRow) : [];
}

function decodeRow(row: unknown): LatestRelease[] {
  if (!isRecord(row)) return [];
  const { app_id, number, outcome, started_at, ended_at, app } = row;
  if (typeof app_id !== 'string' || typeof number !== 'number') return [];
  return [
    {
      appId: app_id,
      number,
      outcome: typeof outcome === 'string' ? (outcome as ReleaseOutcome) : undefined,
      startedAt: typeof started_at === 'string' ? started_at : '',
      endedAt: typeof ended_at === 'string' ? ended_at : undefined,
      serving: decodeServing(isRecord(app) ? app.serving : undefined),
    },
  ];
}
