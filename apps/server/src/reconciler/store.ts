import {
  type AppValues,
  chartNameOf,
  KEPT_RELEASES,
  type ReleaseValues,
  type Status,
} from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Reason } from '../engines/failure.ts';
import type { AppRow } from './desired.ts';
import type { Phase, Release, ReleaseOutcome } from './release.ts';

export type StatusReport = { appId: string; generation: number; status: Status; message: string };

/** What the reconciler reads and writes. Nobody else writes a status. */
export type ReconcilerStore = {
  app(appId: string): Promise<AppRow | undefined>;
  /** Every app that is wished for, oldest first. */
  wished(): Promise<AppRow[]>;
  /** Every app that is wished for, and every deleted one of which something may be left. */
  appIds(): Promise<string[]>;
  /** The newest release, and the newest ones that ever served, as many as are kept, newest first. */
  releases(appId: string): Promise<{ last: Release | undefined; live: Release[] }>;
  /** Begins the next attempt; one that was under way is superseded. */
  addRelease(release: NewRelease): Promise<Release>;
  reachPhase(appId: string, number: number, phase: Phase): Promise<void>;
  setRevision(appId: string, number: number, revision: string): Promise<void>;
  endRelease(end: ReleaseEnd): Promise<void>;
  /** Says nothing of a generation that is not the newest any more. */
  report(report: StatusReport): Promise<void>;
};

export type NewRelease = {
  appId: string;
  generation: number;
  wish: string;
  values: ReleaseValues;
  /** The release whose build it takes over. */
  from?: Pick<Release, 'number' | 'revision'> | undefined;
};

export type ReleaseEnd = {
  appId: string;
  number: number;
  outcome: ReleaseOutcome;
  reason?: Reason;
  evidence?: string[];
  /** The sentence of its reason. */
  message?: string;
};

/** The custom domain that an app wishes for was verified for another one first. */
const heldByOther = sql`
  select from deploy.held_domains as held
  where held.domain = resources.values #>> '{publicAccess,domain}' and held.app_id <> resources.id`;

export function createReconcilerStore(db: Database): ReconcilerStore {
  return {
    async app(appId) {
      const row = await appRows().where('id', '=', appId).executeTakeFirst();
      return row && toApp(row);
    },
    async wished() {
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
      const newest = db.selectFrom('deploy.releases').selectAll().where('app_id', '=', appId);
      const last = await newest.orderBy('number', 'desc').limit(1).executeTakeFirst();
      const live = await newest
        .where('outcome', '=', 'live')
        .orderBy('number', 'desc')
        .limit(KEPT_RELEASES)
        .execute();
      return { last: last && toRelease(last), live: live.map(toRelease) };
    },
    addRelease: ({ appId, generation, wish, values: { env, ...madeOf }, from }) =>
      db.transaction().execute(async (tx) => {
        await tx
          .updateTable('deploy.releases')
          .set({ outcome: 'superseded', ended_at: sql<Date>`now()` })
          .where('app_id', '=', appId)
          .where('outcome', 'is', null)
          .execute();
        const number = sql<number>`(select coalesce(max(number), 0) + 1 from deploy.releases where app_id = ${appId})`;
        const row = await tx
          .insertInto('deploy.releases')
          .values({
            app_id: appId,
            number,
            generation,
            wish,
            made_of: JSON.stringify(madeOf),
            env: JSON.stringify(env),
            from_release: from?.number ?? null,
            revision: from?.revision ?? null,
            phases: phaseEntry('queued'),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toRelease(row);
      }),
    async reachPhase(appId, number, phase) {
      await ofRelease(appId, number)
        .set({ phases: sql<string>`phases || ${phaseEntry(phase)}` })
        .execute();
    },
    async setRevision(appId, number, revision) {
      await ofRelease(appId, number).set({ revision }).execute();
    },
    async endRelease({ appId, number, outcome, reason, evidence, message }) {
      await ofRelease(appId, number)
        .set({
          outcome,
          reason: reason ?? null,
          evidence: JSON.stringify(evidence ?? []),
          message: message ?? null,
          ended_at: sql<Date>`now()`,
        })
        .execute();
    },
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
      .select(sql<boolean>`exists (${heldByOther})`.as('is_domain_lost'))
      .where('chart_name', '=', chartNameOf('app'));
  }

  function ofRelease(appId: string, number: number) {
    return db
      .updateTable('deploy.releases')
      .where('app_id', '=', appId)
      .where('number', '=', number);
  }
}

function phaseEntry(phase: Phase) {
  return sql<string>`jsonb_build_array(jsonb_build_object('phase', ${phase}::text, 'at', now()))`;
}

type StoredApp = {
  id: string;
  user_id: string;
  generation: string;
  redeploys: string;
  deleted: boolean;
  values: unknown;
  is_domain_lost: boolean;
};

function toApp(row: StoredApp): AppRow {
  return {
    id: row.id,
    ownerId: row.user_id,
    generation: Number(row.generation),
    redeploys: Number(row.redeploys),
    deleted: row.deleted,
    values: row.values as AppValues,
    isDomainLost: row.is_domain_lost,
  };
}

type ReleaseRow = {
  number: number;
  generation: string;
  wish: string;
  made_of: unknown;
  env: unknown;
  revision: string | null;
  from_release: number | null;
  outcome: ReleaseOutcome | null;
  reason: string | null;
  evidence: unknown;
};

function toRelease(row: ReleaseRow): Release {
  return {
    number: row.number,
    generation: Number(row.generation),
    wish: row.wish,
    values: {
      ...(row.made_of as Omit<ReleaseValues, 'env'>),
      env: row.env as ReleaseValues['env'],
    },
    revision: row.revision ?? undefined,
    from: row.from_release ?? undefined,
    outcome: row.outcome ?? undefined,
    reason: (row.reason ?? undefined) as Reason | undefined,
    evidence: row.evidence as string[],
  };
}
