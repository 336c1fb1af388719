import {
  type AppValues,
  type BuildInputs,
  chartNameOf,
  type DeploymentPhase,
  type Detected,
  type Fix,
  type RetryKind,
  type Serving,
  type Status,
} from '@longshore/contract';
import { sql } from 'kysely';
import { createBatch } from '../concurrency/batch.ts';
import type { Database } from '../db/database.ts';
import {
  addDetected,
  addPhase,
  addRelease,
  endRelease,
  type NewRelease,
  newestAndLiveReleases,
  type Release,
  type ReleaseEnd,
  type RevokedRelease,
  revokeRelease,
  setBuildInputs,
  setCommandDone,
  setFixes,
  setRevision,
  unsealReleases,
} from './releases.ts';
import { readValues, requireReadable, type Variables } from './variables.ts';

/** An app's row, as far as reconciling needs it. */
export type AppRow = {
  id: string;
  ownerId: string;
  generation: number;
  deleted: boolean;
  values: AppValues;
  /** How often a redeploy was requested without a change of values. */
  redeploys: number;
  /** The custom domains that the app serves, out of those in its settings. */
  routedDomains: string[];
  /** The log names of the instances that the owner asked to replace last. */
  replacedInstances?: string[];
  /** How often the owner cleared the build cache. */
  cacheClears?: number;
  /** The owner asks to retry at once. True until the next report. */
  isRetryRequested: boolean;
  /** What the reconciler has written. Undefined: not known. */
  written?: Written;
};

/** `isSettled`: the newest generation was reported as settled, and nothing else since. */
export type Written = { isSettled: boolean; serving: unknown };

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
  /** The form in which a release stores its desired hash, so that it does not reveal what it covers. */
  desiredHashOf(appId: string, hash: string): string;
  /** Starts the next release; one that is in progress is superseded. */
  addRelease(release: NewRelease): Promise<Release>;
  addPhase(appId: string, number: number, phase: DeploymentPhase): Promise<void>;
  /** The first revision of a release stays. */
  setRevision(appId: string, number: number, revision: string): Promise<void>;
  setBuildInputs(appId: string, number: number, inputs: BuildInputs): Promise<void>;
  /** The release command has succeeded. */
  setCommandDone(appId: string, number: number, command: string): Promise<void>;
  /** Adds to what was found out about a release, or replaces it. */
  addDetected(appId: string, number: number, detected: Detected): Promise<void>;
  /** Replaces what probably solves the failure of a release, which may have ended. */
  setFixes(appId: string, number: number, fixes: Fix[]): Promise<void>;
  /** False if it has ended already: its owner may cancel it at any time. */
  endRelease(end: ReleaseEnd): Promise<boolean>;
  /** A release that went live did not stay healthy: it counts as failed. */
  revokeRelease(end: RevokedRelease): Promise<void>;
  /** Ignores a report on a generation that is not the newest. */
  report(report: StatusReport): Promise<void>;
  /** Undefined: no release serves. */
  setServing(appId: string, serving: Serving | undefined): Promise<void>;
};

type StoreDeps = { db: Database; variables: Variables };

export function createReconcilerStore({ db, variables }: StoreDeps): ReconcilerStore {
  // After a start, all apps are read.
  const readApp = createBatch(async (ids: string[]) => {
    const rows = await readApps(appRows().where(sql<boolean>`id = any(${ids}::uuid[])`));
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => found.get(id));
  });
  const readReleases = createBatch((ids: string[]) => newestAndLiveReleases(db, ids));

  return {
    async app(appId) {
      const row = await readApp(appId);
      // A deleted app is removed whatever its values are.
      if (row !== undefined && !row.deleted) requireReadable(row.values.env);
      return row;
    },
    async existingApps() {
      return await readApps(
        appRows().where('deleted', '=', false).orderBy('created_at').orderBy('id'),
      );
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
      const { newest, live } = await readReleases(appId);
      if (newest === undefined) return { last: undefined, live: [] };
      const stored = [newest, ...live];
      const [last, ...others] = await unsealReleases({ db, variables, appId }, stored);
      return { last, live: others };
    },
    desiredHashOf: variables.hashOfRelease,
    addRelease: (release) => addRelease({ db, variables }, release),
    addPhase: (appId, number, phase) => addPhase(db, appId, number, phase),
    setRevision: (appId, number, revision) => setRevision(db, appId, number, revision),
    setBuildInputs: (appId, number, inputs) => setBuildInputs(db, appId, number, inputs),
    setCommandDone: (appId, number, command) => setCommandDone(db, appId, number, command),
    addDetected: (appId, number, detected) => addDetected(db, appId, number, detected),
    setFixes: (appId, number, fixes) => setFixes(db, appId, number, fixes),
    endRelease: (end) => endRelease(db, end),
    revokeRelease: (end) => revokeRelease(db, end),
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

  async function readApps(query: ReturnType<typeof appRows>): Promise<AppRow[]> {
    return (await readValues(variables, db, await query.execute())).map(toApp);
  }

  function appRows() {
    return db
      .selectFrom('public.resources')
      .select([
        'id',
        'user_id',
        'generation',
        'redeploys',
        'deleted',
        'values',
        'replaced_instance',
        'cache_clears',
      ])
      .select(
        sql<string[]>`array(
          select domain from deploy.domain_claims as claim
          where claim.app_id = resources.id and claim.is_routed
        )`.as('routed_domains'),
      )
      .select(sql<boolean>`coalesce(retry ? 'requested', false)`.as('is_retry_requested'))
      .select([
        'serving',
        sql<boolean>`coalesce(
          status = 'synced' and message = '' and observed_generation = generation and retry is null, false
        )`.as('is_settled'),
      ])
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
  replaced_instance: string | null;
  cache_clears: string;
  routed_domains: string[];
  is_retry_requested: boolean;
  is_settled: boolean;
  serving: unknown;
};

function toApp(row: StoredApp): AppRow {
  return {
    id: row.id,
    ownerId: row.user_id,
    generation: Number(row.generation),
    redeploys: Number(row.redeploys),
    deleted: row.deleted,
    values: row.values as AppValues,
    replacedInstances: row.replaced_instance?.split(' ') ?? [],
    cacheClears: Number(row.cache_clears),
    routedDomains: row.routed_domains,
    isRetryRequested: row.is_retry_requested,
    written: { isSettled: row.is_settled, serving: row.serving ?? undefined },
  };
}
