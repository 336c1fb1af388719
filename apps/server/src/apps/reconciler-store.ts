import {
  type AppValues,
  chartNameOf,
  type DeploymentPhase,
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
};

export type StatusReport = { appId: string; generation: number; status: Status; message: string };

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
    async report({ appId, generation, status, message }) {
      await db
        .updateTable('public.resources')
        .set({ status, message, observed_generation: generation })
        .where('id', '=', appId)
        .where('generation', '=', String(generation))
        .where(
          sql<boolean>`(status, message, observed_generation) is distinct from (${status}, ${message}, ${generation}::bigint)`,
        )
        .execute();
    },
  };

  function appRows() {
    return db
      .selectFrom('public.resources')
      .select(['id', 'user_id', 'generation', 'redeploys', 'deleted', 'values'])
      .select(sql<boolean>`exists (${heldByOther})`.as('is_domain_taken'))
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
  };
}
