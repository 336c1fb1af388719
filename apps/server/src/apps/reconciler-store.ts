import {
  type AppValues,
  chartNameOf,
  type DeploymentPhase,
  type RetryKind,
  type Serving,
  type Status,
} from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import {
  addPhase,
  addRelease,
  endRelease,
  liveReleases,
  type NewRelease,
  newestReleases,
  type Release,
  type ReleaseEnd,
  setRevision,
} from './releases.ts';

/** An app's row, as far as reconciling needs it. */
export type AppRow = {
  id: string;
  ownerId: string;
  generation: number;
  deleted: boolean;
  values: AppValues;
  /** How often a redeploy was requested without a change of values. */
  redeploys: number;
  /** The app's custom domain was verified for another app first. */
  isDomainTaken: boolean;
  /** The owner asks to retry at once. True until the next report. */
  isRetryRequested: boolean;
};

export type StatusReport = {
  appId: string;
  generation: number;
  status: Status;
  message: string;
  /** When a failed app is tried again. */
  retry?: { kind: RetryKind; inMs: number } | undefined;
};

/** What the reconciler reads and writes. Nothing else writes a status. */
export type ReconcilerStore = {
  /** Includes deleted apps. */
  app(appId: string): Promise<AppRow | undefined>;
  /** Every app that is not deleted, oldest first. */
  existingApps(): Promise<AppRow[]>;
  /** Every app that is not deleted, and every deleted app whose removal is not complete. */
  appIds(): Promise<string[]>;
  /** The newest release, and the newest ones that served, as many as are stored, newest first. */
  releases(appId: string): Promise<{ last: Release | undefined; live: Release[] }>;
  /** Starts the next release; one that is in progress is superseded. */
  addRelease(release: NewRelease): Promise<Release>;
  addPhase(appId: string, number: number, phase: DeploymentPhase): Promise<void>;
  /** The first revision of a release stays. */
  setRevision(appId: string, number: number, revision: string): Promise<void>;
  /** False if it has ended already: its owner may cancel it at any time. */
  endRelease(end: ReleaseEnd): Promise<boolean>;
  /** Ignores a report on a generation that is not the newest. */
  report(report: StatusReport): Promise<void>;
  /** Undefined: no release serves. */
  setServing(appId: string, serving: Serving | undefined): Promise<void>;
};

/** The app's custom domain is verified for another app. */
const heldByOther = sql`
  select from deploy.held_domains as held
  where held.domain = resources.values #>> '{publicAccess,domain}' and held.app_id <> resources.id`;

export function createReconcilerStore(db: Database): ReconcilerStore {
  return {
    async app(appId) {
      const row = await appRows().where('id', '=', appId).executeTakeFirst();
      return row && toApp(row);
    },
    async existingApps() {
      const rows = await appRows()
        .where('deleted', '=', false)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toApp);
    },
    async appIds() {
      const rows = await db
        .selectFrom('public.resources')
        .select('id')
        .where('chart_name', '=', chartNameOf('app'))
        .where((row) =>
          row.or([
            row('deleted', '=', false),
            row('observed_generation', '<>', row.ref('generation')),
          ]),
        )
        .execute();
      return rows.map((row) => row.id);
    },
    async releases(appId) {
      const [last] = await newestReleases(db, appId, 1);
      return { last, live: await liveReleases(db, appId) };
    },
    addRelease: (release) => addRelease(db, release),
    addPhase: (appId, number, phase) => addPhase(db, appId, number, phase),
    setRevision: (appId, number, revision) => setRevision(db, appId, number, revision),
    endRelease: (end) => endRelease(db, end),
    async report({ appId, generation, status, message, retry }) {
      // The time is that of the database: the reconciler's clock is monotonic and may start anywhere.
      const nextAttempt = retry
        ? sql<string>`jsonb_build_object('kind', ${retry.kind}::text, 'at', now() + ${retry.inMs}::float8 * interval '1 ms')`
        : sql<null>`null::jsonb`;
      await db
        .updateTable('public.resources')
        .set({ status, message, observed_generation: generation, retry: nextAttempt })
        .where('id', '=', appId)
        .where('generation', '=', String(generation))
        .where(
          sql<boolean>`(status, message, observed_generation, retry) is distinct from (${status}, ${message}, ${generation}::bigint, ${nextAttempt})`,
        )
        .execute();
    },
    async setServing(appId, serving) {
      const stored = serving === undefined ? null : JSON.stringify(serving);
      await db
        .updateTable('public.resources')
        .set({ serving: stored })
        .where('id', '=', appId)
        .where(sql<boolean>`serving is distinct from ${stored}::jsonb`)
        .execute();
    },
  };

  function appRows() {
    return db
      .selectFrom('public.resources')
      .select(['id', 'user_id', 'generation', 'redeploys', 'deleted', 'values'])
      .select(sql<boolean>`exists (${heldByOther})`.as('is_domain_taken'))
      .select(sql<boolean>`coalesce(retry ? 'requested', false)`.as('is_retry_requested'))
      .where('chart_name', '=', chartNameOf('app'));
  }
}

type StoredApp = {
  id: string;
  user_id: string;
  generation: string;
  redeploys: string;
  deleted: boolean;
  values: unknown;
  is_domain_taken: boolean;
  is_retry_requested: boolean;
};

function toApp(row: StoredApp): AppRow {
  return {
    id: row.id,
    ownerId: row.user_id,
    generation: Number(row.generation),
    redeploys: Number(row.redeploys),
    deleted: row.deleted,
    values: row.values as AppValues,
    isDomainTaken: row.is_domain_taken,
    isRetryRequested: row.is_retry_requested,
  };
}
