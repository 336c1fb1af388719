import type { Delivery, ReleaseCause } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { DeliveryDecision } from './decide-delivery.ts';
import type { Push } from './parse-push.ts';
import { singleLine } from './single-line.ts';

export type NewDelivery = DeliveryDecision & {
  appId: string;
  event: string;
  push: Push | undefined;
  /** A second delivery with the same key is not added. */
  deduplicationKey?: string;
  isReplay?: boolean;
};

export type Deliveries = {
  /** Stores a delivery and deploys the app if that is its outcome, in one transaction. Undefined for a duplicate. */
  add(delivery: NewDelivery): Promise<Delivery | undefined>;
  /** Newest first. */
  list(appId: string): Promise<Delivery[]>;
  find(appId: string, id: string): Promise<{ event: string; push: Push | undefined } | undefined>;
};

type DeliveryDeps = {
  db: Database;
  /** Redeploys the app, within the given transaction. */
  redeploy(db: Database, appId: string, cause: ReleaseCause): Promise<void>;
};

/** Separate limits, so that unsigned deliveries cannot displace signed ones. */
const MAX_STORED = { signed: 200, refused: 20 };
const MAX_LISTED = 50;

const MAX_REF_LENGTH = 100;
const MAX_COMMIT_LENGTH = 64;

export function createDeliveries({ db, redeploy }: DeliveryDeps): Deliveries {
  const deliveries = (appId: string) =>
    db.selectFrom('connect.deliveries').where('app_id', '=', appId);

  return {
    add: ({ appId, event, push, deduplicationKey, isReplay = false, outcome, reason }) =>
      db.transaction().execute(async (tx) => {
        const row = await tx
          .insertInto('connect.deliveries')
          .values({
            app_id: appId,
            event,
            ...pushColumns(push),
            mark: deduplicationKey ?? null,
            is_replay: isReplay,
            outcome,
            reason,
          })
          .onConflict((conflict) => conflict.columns(['app_id', 'mark']).doNothing())
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return undefined;
        if (outcome === 'deployed' && push) await redeploy(tx, appId, causeOf(push));
        await removeOld(tx, appId);
        return toDelivery(row);
      }),
    async list(appId) {
      const rows = await deliveries(appId)
        .select(['id', 'at', 'event', 'push', 'outcome', 'reason', 'is_replay'])
        .orderBy('id', 'desc')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(toDelivery);
    },
    async find(appId, id) {
      if (!/^\d{1,18}$/.test(id)) return undefined;
      const row = await deliveries(appId)
        .select(['event', 'push', 'files'])
        .where('id', '=', id)
        .executeTakeFirst();
      return row && { event: row.event, push: storedPush(row) };
    },
  };
}

/** The files have a column of their own: everything else is read with every list of deliveries. */
function pushColumns(push: Push | undefined) {
  if (push === undefined) return { push: null, files: null };
  const { files, ...others } = push;
  return {
    push: JSON.stringify(others),
    files: files === undefined ? null : JSON.stringify(files),
  };
}

function storedPush({ push, files }: { push: unknown; files: unknown }): Push | undefined {
  if (push === null) return undefined;
  return { ...(push as Push), ...(files !== null && { files: files as string[] }) };
}

/** The cause shown with the release that a push deploys. */
function causeOf({ ref, commit, by = '', subject = '' }: Push): ReleaseCause {
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '');
  return {
    kind: 'push',
    ref: singleLine(name, MAX_REF_LENGTH),
    commit: singleLine(commit ?? '', MAX_COMMIT_LENGTH),
    by,
    subject,
  };
}

async function removeOld(db: Database, appId: string): Promise<void> {
  await sql`
    delete from connect.deliveries where app_id = ${appId} and id in (
      select id from (
        select id, outcome = 'refused' as is_refused,
          row_number() over (partition by outcome = 'refused' order by id desc) as rank
        from connect.deliveries where app_id = ${appId}
      ) as ranked
      where rank > case when is_refused then ${MAX_STORED.refused}::int else ${MAX_STORED.signed}::int end
    )
  `.execute(db);
}

type DeliveryRow = {
  id: string;
  at: Date;
  event: string;
  push: unknown;
  outcome: Delivery['outcome'];
  reason: string;
  is_replay: boolean;
};

function toDelivery({ id, at, event, push, outcome, reason, is_replay }: DeliveryRow): Delivery {
  const { ref = null, commit = null } = (push as Push | null) ?? {};
  return {
    id,
    at: at.toISOString(),
    event,
    ref,
    commit,
    outcome,
    reason,
    isReplay: is_replay,
  };
}
