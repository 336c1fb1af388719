import {
  type DeploymentPhase,
  decodePin,
  type Pin,
  RETAINED_RELEASES,
  type ReleaseOutcome,
  type ReleaseValues,
} from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Reason } from '../engines/failure.ts';

/** One attempt to run what the user asked for. */
export type Release = {
  number: number;
  generation: number;
  /** Hash of the desired settings that it was created for. */
  desiredHash: string;
  values: ReleaseValues;
  /** The commit or digest it was built from; unknown until it is built. */
  revision: string | undefined;
  /** The pin of the app when the release was created. */
  pin?: Pin | undefined;
  /** The release whose build it reuses, if that build exists. */
  from: number | undefined;
  /** Undefined while it is in progress. */
  outcome: ReleaseOutcome | undefined;
  reason: Reason | undefined;
  evidence: string[];
};

export type NewRelease = {
  appId: string;
  generation: number;
  desiredHash: string;
  values: ReleaseValues;
  /** The release whose build it reuses. */
  from?: Pick<Release, 'number' | 'revision'> | undefined;
};

export type ReleaseEnd = {
  appId: string;
  number: number;
  outcome: ReleaseOutcome;
  reason?: Reason;
  evidence?: string[];
  /** Text of the reason. */
  message?: string;
};

export async function newestReleases(
  db: Database,
  appId: string,
  limit: number,
): Promise<Release[]> {
  const rows = await newestFirst(db, appId).limit(limit).execute();
  return rows.map(toRelease);
}

/** The newest releases that served, as many as are stored for rollbacks, newest first. */
export async function liveReleases(db: Database, appId: string): Promise<Release[]> {
  const live = newestFirst(db, appId).where('outcome', '=', 'live').limit(RETAINED_RELEASES);
  return (await live.execute()).map(toRelease);
}

/** Starts the next release; one that is in progress is superseded. */
export async function addRelease(
  db: Database,
  { appId, generation, desiredHash, values: { env, ...otherValues }, from }: NewRelease,
): Promise<Release> {
  return await db.transaction().execute(async (tx) => {
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
        wish: desiredHash,
        made_of: JSON.stringify(otherValues),
        env: JSON.stringify(env),
        from_release: from?.number ?? null,
        revision: from?.revision ?? null,
        phases: phaseEntry('queued'),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toRelease(row);
  });
}

export async function addPhase(
  db: Database,
  appId: string,
  number: number,
  phase: DeploymentPhase,
): Promise<void> {
  await updateRelease(db, appId, number)
    .where('outcome', 'is', null)
    .set({ phases: sql<string>`phases || ${phaseEntry(phase)}` })
    .execute();
}

export async function setRevision(
  db: Database,
  appId: string,
  number: number,
  revision: string,
): Promise<void> {
  await updateRelease(db, appId, number).set({ revision }).where('revision', 'is', null).execute();
}

/** Returns false if the release has ended already; its outcome stays. */
export async function endRelease(db: Database, end: ReleaseEnd): Promise<boolean> {
  const { appId, number, outcome, reason, evidence, message } = end;
  const { numUpdatedRows } = await updateRelease(db, appId, number)
    .where('outcome', 'is', null)
    .set({
      outcome,
      reason: reason ?? null,
      evidence: JSON.stringify(evidence ?? []),
      message: message ?? null,
      ended_at: sql<Date>`now()`,
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Undefined if the release does not exist or is in progress. */
export async function findOutcome(
  db: Database,
  appId: string,
  number: number,
): Promise<ReleaseOutcome | undefined> {
  const release = await newestFirst(db, appId).where('number', '=', number).executeTakeFirst();
  return release?.outcome ?? undefined;
}

function newestFirst(db: Database, appId: string) {
  return db
    .selectFrom('deploy.releases')
    .selectAll()
    .where('app_id', '=', appId)
    .orderBy('number', 'desc');
}

function updateRelease(db: Database, appId: string, number: number) {
  return db.updateTable('deploy.releases').where('app_id', '=', appId).where('number', '=', number);
}

function phaseEntry(phase: DeploymentPhase) {
  return sql<string>`jsonb_build_array(jsonb_build_object('phase', ${phase}::text, 'at', now()))`;
}

/** `wish` holds the desired hash, and `made_of` the values without `env`. */
type ReleaseRow = {
  number: number;
  generation: string;
  wish: string;
  made_of: unknown;
  env: unknown;
  revision: string | null;
  from_release: number | null;
  pin: unknown;
  outcome: ReleaseOutcome | null;
  reason: string | null;
  evidence: unknown;
};

function toRelease(row: ReleaseRow): Release {
  return {
    number: row.number,
    generation: Number(row.generation),
    desiredHash: row.wish,
    values: {
      ...(row.made_of as Omit<ReleaseValues, 'env'>),
      env: row.env as ReleaseValues['env'],
    },
    revision: row.revision ?? undefined,
    from: row.from_release ?? undefined,
    pin: decodePin(row.pin),
    outcome: row.outcome ?? undefined,
    reason: (row.reason ?? undefined) as Reason | undefined,
    evidence: row.evidence as string[],
  };
}
