import {
  type BuildInputs,
  type DeploymentPhase,
  type Detected,
  decodeBuildInputs,
  decodeDetected,
  decodePin,
  decodeReleaseCause,
  type Fix,
  type Pin,
  RETAINED_RELEASES,
  type ReleaseOutcome,
  type ReleaseValues,
} from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Reason } from '../engines/failure.ts';
import { requireReadable, type Variables } from './variables.ts';

/** One attempt to run what the user asked for. */
export type Release = {
  number: number;
  generation: number;
  /** Hash of the desired settings that it was created for. */
  desiredHash: string;
  values: ReleaseValues;
  /** The commit or digest it was built from; unknown until it is built. */
  revision: string | undefined;
  /** What its build depends on; undefined until it is built, and for builds of older versions. */
  inputs: BuildInputs | undefined;
  /** The pin of the app when the release was created. */
  pin?: Pin | undefined;
  /** The release whose build it reuses, if that build exists. */
  from: number | undefined;
  /** Whether it restores an earlier release. */
  isRollback?: boolean;
  /** The release command that has succeeded with its build. */
  commandDone?: string | undefined;
  /** Undefined while it is in progress. */
  outcome: ReleaseOutcome | undefined;
  reason: Reason | undefined;
  evidence: string[];
  detected: Detected;
};

export type NewRelease = {
  appId: string;
  generation: number;
  desiredHash: string;
  values: ReleaseValues;
  /** The release whose build it reuses. */
  from?: ReusedBuild | undefined;
  /** The release command that has succeeded with that build. */
  commandDone?: string | undefined;
};

/** A build, and the release that has it. */
export type ReusedBuild = Pick<Release, 'number' | 'revision' | 'inputs'>;

export type ReleaseEnd = {
  appId: string;
  number: number;
  outcome: ReleaseOutcome;
  /** The last one that it was an attempt for. Undefined: the one that it was created for. */
  generation?: number;
  reason?: Reason;
  evidence?: string[];
  /** What probably solves the failure. */
  fixes?: Fix[];
  /** Text of the reason. */
  message?: string;
};

/** A release that served, and why it does not any more. */
export type RevokedRelease = Required<
  Pick<ReleaseEnd, 'appId' | 'number' | 'reason' | 'evidence' | 'message'>
>;

/** A release as its row has it: with the hashes of its variables instead of their values. */
export type StoredRelease = Omit<Release, 'values'> & {
  values: Omit<ReleaseValues, 'env'>;
  hashes: unknown;
  /** The hashes of the values that it got from other apps, at its latest starts with different ones, newest first. */
  referred: unknown[];
};

/** The log lines of so many releases may still be written; older ones are masked already. */
export const MASKED_RELEASES = 20;

export async function newestReleases(
  db: Database,
  appId: string,
  limit: number,
): Promise<StoredRelease[]> {
  const rows = await newestFirst(db, appId).limit(limit).execute();
  return rows.map(toRelease);
}

/** The newest releases that served, as many as are stored for rollbacks, newest first. */
export async function liveReleases(db: Database, appId: string): Promise<StoredRelease[]> {
  const live = newestFirst(db, appId).where('outcome', '=', 'live').limit(RETAINED_RELEASES);
  return (await live.execute()).map(toRelease);
}

type NewestAndLive = { newest: StoredRelease | undefined; live: StoredRelease[] };

/** Both in one query, for several apps, in their order: each pass needs them. */
export async function newestAndLiveReleases(
  db: Database,
  appIds: string[],
): Promise<NewestAndLive[]> {
  const { rows } = await sql<ReleaseRow & { app_id: string }>`
    select release.* from (select distinct unnest(${appIds}::uuid[]) as id) as app
    cross join lateral (
      select * from deploy.releases
      where app_id = app.id and (
        outcome = 'live'
        or number = (select max(number) from deploy.releases where app_id = app.id)
      )
      order by number desc
      limit ${RETAINED_RELEASES + 1}
    ) as release
    order by release.number desc
  `.execute(db);
  const found = Map.groupBy(rows, (row) => row.app_id);
  return appIds.map((appId) => {
    const releases = (found.get(appId) ?? []).map(toRelease);
    const live = releases.filter(({ outcome }) => outcome === 'live').slice(0, RETAINED_RELEASES);
    return { newest: releases[0], live };
  });
}

/** The releases with their variables. Throws if one of these cannot be read. */
export async function unsealReleases(
  { db, variables, appId }: { db: Database; variables: Variables; appId: string },
  releases: StoredRelease[],
): Promise<Release[]> {
  const stored = releases.map(({ hashes }) => ({ appId, env: hashes }));
  const envs = await variables.readEnvs(db, stored);
  return releases.map(({ hashes: _, referred: __, ...release }, at) => {
    const env = envs[at] ?? {};
    requireReadable(env);
    return { ...release, values: { ...release.values, env } };
  });
}

/** The commit of the newest release, if that release serves. */
export async function servingRevision(db: Database, appId: string): Promise<string | undefined> {
  const [newest] = await newestReleases(db, appId, 1);
  return newest?.outcome === 'live' ? newest.revision : undefined;
}

/** Starts the next release; one that is in progress is superseded. */
export async function addRelease(
  { db, variables }: { db: Database; variables: Variables },
  {
    appId,
    generation,
    desiredHash,
    values: { env, ...otherValues },
    from,
    commandDone,
  }: NewRelease,
): Promise<Release> {
  return await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('deploy.releases')
      .set({ outcome: 'superseded', ended_at: sql<Date>`now()` })
      .where('app_id', '=', appId)
      .where('outcome', 'is', null)
      .execute();
    const detected = sql<string>`coalesce((
      select detected from deploy.releases where app_id = ${appId} and number = ${from?.number ?? null}
    ), '{}')`;
    const number = sql<number>`(select coalesce(max(number), 0) + 1 from deploy.releases where app_id = ${appId})`;
    await variables.store(tx, appId, env);
    const row = await tx
      .insertInto('deploy.releases')
      .values({
        app_id: appId,
        number,
        generation,
        wish: desiredHash,
        made_of: JSON.stringify(otherValues),
        env: JSON.stringify(variables.hashesOf(appId, env)),
        from_release: from?.number ?? null,
        revision: from?.revision ?? null,
        build_inputs: from?.inputs === undefined ? null : JSON.stringify(from.inputs),
        command_done: commandDone ?? null,
        detected,
        phases: phaseEntry('queued'),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const { hashes: _, referred: __, ...release } = toRelease(row);
    return { ...release, values: { ...release.values, env } };
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

/** What a build depends on, once it is built. */
export async function setBuildInputs(
  db: Database,
  appId: string,
  number: number,
  inputs: BuildInputs,
): Promise<void> {
  await updateRelease(db, appId, number)
    .set({ build_inputs: JSON.stringify(inputs) })
    .execute();
}

/** The release command has succeeded. */
export async function setCommandDone(
  db: Database,
  appId: string,
  number: number,
  command: string,
): Promise<void> {
  await updateRelease(db, appId, number).set({ command_done: command }).execute();
}

/** Adds to what was found out about a release, or replaces it. */
export async function addDetected(
  db: Database,
  appId: string,
  number: number,
  detected: Detected,
): Promise<void> {
  await updateRelease(db, appId, number)
    .set({ detected: sql<string>`detected || ${JSON.stringify(detected)}::jsonb` })
    .execute();
}

/** For a release that may have ended: an app can fail later. */
export async function setFixes(
  db: Database,
  appId: string,
  number: number,
  fixes: Fix[],
): Promise<void> {
  const stored = JSON.stringify(fixes);
  await updateRelease(db, appId, number)
    .set({ fixes: stored })
    .where(sql<boolean>`fixes is distinct from ${stored}::jsonb`)
    .execute();
}

/** Returns false if the release has ended already; its outcome stays. */
export async function endRelease(db: Database, end: ReleaseEnd): Promise<boolean> {
  const { appId, number, outcome, generation, reason, evidence, fixes, message } = end;
  const { numUpdatedRows } = await updateRelease(db, appId, number)
    .where('outcome', 'is', null)
    .set({
      outcome,
      reason: reason ?? null,
      evidence: JSON.stringify(evidence ?? []),
      fixes: JSON.stringify(fixes ?? []),
      message: message ?? null,
      ended_at: sql<Date>`now()`,
      ...(generation === undefined ? {} : { generation }),
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function revokeRelease(
  db: Database,
  { appId, number, reason, evidence, message }: RevokedRelease,
): Promise<void> {
  await updateRelease(db, appId, number)
    .where('outcome', '=', 'live')
    .set({ outcome: 'failed', reason, evidence: JSON.stringify(evidence), message })
    .execute();
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
  referred: unknown;
  revision: string | null;
  from_release: number | null;
  build_inputs: unknown;
  cause: unknown;
  command_done: string | null;
  pin: unknown;
  outcome: ReleaseOutcome | null;
  reason: string | null;
  evidence: unknown;
  detected: unknown;
};

function toRelease(row: ReleaseRow): StoredRelease {
  return {
    number: row.number,
    generation: Number(row.generation),
    desiredHash: row.wish,
    values: row.made_of as StoredRelease['values'],
    hashes: row.env,
    referred: Array.isArray(row.referred) ? row.referred : [],
    revision: row.revision ?? undefined,
    inputs: decodeBuildInputs(row.build_inputs),
    from: row.from_release ?? undefined,
    isRollback: decodeReleaseCause(row.cause)?.kind === 'rollback',
    commandDone: row.command_done ?? undefined,
    pin: decodePin(row.pin),
    outcome: row.outcome ?? undefined,
    reason: (row.reason ?? undefined) as Reason | undefined,
    evidence: row.evidence as string[],
    detected: decodeDetected(row.detected),
  };
}
