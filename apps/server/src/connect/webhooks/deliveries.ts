import type { Delivery, ReleaseCause } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Verdict } from './judge-push.ts';
import { causeOf } from './push-cause.ts';
import type { Push } from './push-of.ts';

export type NewDelivery = Verdict & {
  appId: string;
  event: string;
  push: Push | undefined;
  /** Tells it from every other; undefined for what needs not be told apart. */
  mark?: string;
  isReplay?: boolean;
};

export type Deliveries = {
  /** Keeps a delivery, and does what became of it: both or neither. Undefined: one with this mark came before. */
  add(delivery: NewDelivery): Promise<Delivery | undefined>;
  /** Newest first. */
  list(appId: string): Promise<Delivery[]>;
  find(appId: string, id: string): Promise<{ event: string; push: Push | undefined } | undefined>;
};

type DeliveryDeps = {
  db: Database;
  /** Has the app deployed again, within the transaction. */
  redeploy(db: Database, appId: string, cause: ReleaseCause): Promise<void>;
};

/** What nobody signed must not drive out what somebody did. */
const KEPT = { signed: 200, refused: 20 };
const SHOWN = 50;

export function createDeliveries({ db, redeploy }: DeliveryDeps): Deliveries {
  const deliveries = (appId: string) =>
    db.selectFrom('connect.deliveries').selectAll().where('app_id', '=', appId);

  return {
    add: ({ appId, event, push, mark, isReplay = false, ...verdict }) =>
      db.transaction().execute(async (tx) => {
        const row = await tx
          .insertInto('connect.deliveries')
          .values({
            app_id: appId,
            event,
            push: push === undefined ? null : JSON.stringify(push),
            mark: mark ?? null,
            is_replay: isReplay,
            ...verdict,
          })
          .onConflict((conflict) => conflict.columns(['app_id', 'mark']).doNothing())
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return undefined;
        if (verdict.outcome === 'deployed' && push) await redeploy(tx, appId, causeOf(push));
        await forgetOld(tx, appId);
        return toDelivery(row);
      }),
    async list(appId) {
      const rows = await deliveries(appId).orderBy('id', 'desc').limit(SHOWN).execute();
      return rows.map(toDelivery);
    },
    async find(appId, id) {
      if (!/^\d{1,18}$/.test(id)) return undefined;
      const row = await deliveries(appId).where('id', '=', id).executeTakeFirst();
      return row && { event: row.event, push: (row.push as Push | null) ?? undefined };
    },
  };
}

async function forgetOld(db: Database, appId: string): Promise<void> {
  await sql`
    delete from connect.deliveries where app_id = ${appId} and id in (
      select id from (
        select id, outcome = 'refused' as is_refused,
          row_number() over (partition by outcome = 'refused' order by id desc) as place
        from connect.deliveries where app_id = ${appId}
      ) as kept
      where place > case when is_refused then ${KEPT.refused}::int else ${KEPT.signed}::int end
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
