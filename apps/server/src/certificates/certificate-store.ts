import { decodeCertificateFailure } from '@longshore/contract';
import type { EdgeCertificate } from '@longshore/edge-contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { accountKeyContext, certificateKeyContext } from '../secrets/rotate-seal-key.ts';
import { type Seal, UnreadableSecret } from '../secrets/seal.ts';
import type { Secret } from '../secrets/secret.ts';
import {
  type CertificateRecord,
  type CountedOrder,
  LONGEST_WINDOW_MS,
  limitOf,
  type WantedCertificate,
} from './certificate-rules.ts';

/** A certificate that was issued, with its key. Both PEM. */
export type IssuedCertificate = {
  chain: string;
  key: Secret;
  validity: NonNullable<CertificateRecord['validity']>;
};

/** Certificates, orders, and the accounts at certificate authorities. Keys are sealed. */
export type CertificateStore = {
  /** The key of the account, PEM. `create` is called for the first one. */
  accountKey(directory: string, create: () => Secret): Promise<Secret>;
  records(): Promise<CertificateRecord[]>;
  record(domain: string): Promise<CertificateRecord | undefined>;
  /** Certificates that are valid now. One whose key cannot be read is left out. */
  issued(domains: string[], now: number): Promise<EdgeCertificate[]>;
  /** The orders that count for the limits. */
  orders(now: number): Promise<CountedOrder[]>;
  /**
   * Counts an order and stores the key of its certificate, before the authority is asked. From then on the order is continued,
   * also by the next server, until it is closed. Returns false, and stores nothing, if the limits do not allow it.
   */
  openOrder(
    wanted: WantedCertificate,
    order: { key: Secret; isRenewal: boolean; at: number },
  ): Promise<boolean>;
  setOrderUrl(domain: string, url: string): Promise<void>;
  orderKey(domain: string): Promise<Secret | undefined>;
  /** `isRefused`: the authority has not accepted the order, so it does not count. */
  closeOrder(domain: string, options: { isRefused: boolean }): Promise<void>;
  saveArrival(domain: string, at: number): Promise<void>;
  saveFailure(
    domain: string,
    failed: Pick<CertificateRecord, 'attempts' | 'nextTryAt' | 'failure'>,
  ): Promise<void>;
  /** Replaces the certificate and closes the order. */
  saveIssued(domain: string, issued: IssuedCertificate): Promise<void>;
  /** The next try is due. */
  retry(domain: string): Promise<void>;
  /** Forgets names that are not wanted, except while their certificate could be used again. */
  forget(wanted: string[], now: number): Promise<void>;
};

export function createCertificateStore({
  db,
  seal,
}: {
  db: Database;
  seal: Seal;
}): CertificateStore {
  const update = (domain: string) =>
    db.updateTable('deploy.certificates').where('domain', '=', domain);
  const sealKey = (key: Secret, domain: string) => seal.encrypt(key, certificateKeyContext(domain));

  /** Undefined if it was sealed with another key: then the certificate is ordered again. */
  function open(sealed: string | null | undefined, context: string): Secret | undefined {
    if (sealed === null || sealed === undefined) return undefined;
    try {
      return seal.decrypt(sealed, context);
    } catch (error) {
      if (error instanceof UnreadableSecret) return undefined;
      throw error;
    }
  }

  return {
    async accountKey(directory, create) {
      const context = accountKeyContext(directory);
      const accounts = db.selectFrom('deploy.acme_accounts').select('sealed_key');
      const existing = accounts.where('directory', '=', directory);
      const stored = open((await existing.executeTakeFirst())?.sealed_key, context);
      if (stored !== undefined) return stored;
      const key = create();
      const sealed_key = seal.encrypt(key, context);
      await db
        .insertInto('deploy.acme_accounts')
        .values({ directory, sealed_key })
        .onConflict((conflict) => conflict.column('directory').doUpdateSet({ sealed_key }))
        .execute();
      return key;
    },
    async records() {
      return (await recordRows(db).execute()).map(toRecord);
    },
    async record(domain) {
      const row = await recordRows(db).where('domain', '=', domain).executeTakeFirst();
      return row && toRecord(row);
    },
    async issued(domains, now) {
      if (domains.length === 0) return [];
      const rows = await db
        .selectFrom('deploy.certificates')
        .select(['domain', 'chain', 'sealed_key'])
        .where(sql<boolean>`domain = any(${domains}::text[])`)
        .where('not_after', '>', new Date(now))
        .execute();
      return rows.flatMap(({ domain, chain, sealed_key }) => {
        const key = open(sealed_key, certificateKeyContext(domain));
        if (key === undefined || chain === null) return [];
        return [{ id: domain, names: [domain], chain, key: key.reveal() }];
      });
    },
    orders: (now) => countedOrders(db, now),
    openOrder: ({ domain, kind, ownerId }, { key, isRenewal, at }) =>
      db.transaction().execute(async (tx) => {
        // Two orders that are opened at once must see each other.
        await sql`lock table deploy.certificate_orders in share row exclusive mode`.execute(tx);
        const orders = await countedOrders(tx, at);
        if (limitOf({ kind, ownerId, isRenewal }, { now: at, orders }) !== undefined) return false;
        const { id } = await tx
          .insertInto('deploy.certificate_orders')
          .values({
            domain,
            user_id: ownerId ?? null,
            is_generated: kind === 'generated',
            is_renewal: isRenewal,
            at: new Date(at),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const order = {
          order_id: id,
          order_url: null,
          order_started_at: new Date(at),
          sealed_order_key: sealKey(key, domain),
        };
        await tx
          .insertInto('deploy.certificates')
          .values({ domain, ...order })
          .onConflict((conflict) => conflict.column('domain').doUpdateSet(order))
          .execute();
        return true;
      }),
    async setOrderUrl(domain, url) {
      await update(domain).set({ order_url: url }).execute();
    },
    async orderKey(domain) {
      const row = await db
        .selectFrom('deploy.certificates')
        .select('sealed_order_key')
        .where('domain', '=', domain)
        .executeTakeFirst();
      return open(row?.sealed_order_key, certificateKeyContext(domain));
    },
    async closeOrder(domain, { isRefused }) {
      await db.transaction().execute(async (tx) => {
        const open = tx
          .selectFrom('deploy.certificates')
          .select('order_id')
          .where('domain', '=', domain);
        if (isRefused) {
          await tx.deleteFrom('deploy.certificate_orders').where('id', '=', open).execute();
        }
        await tx
          .updateTable('deploy.certificates')
          .set(NO_ORDER)
          .where('domain', '=', domain)
          .execute();
      });
    },
    async saveArrival(domain, at) {
      const arrived_at = new Date(at);
      await db
        .insertInto('deploy.certificates')
        .values({ domain, arrived_at })
        .onConflict((conflict) => conflict.column('domain').doUpdateSet({ arrived_at }))
        .execute();
    },
    async saveFailure(domain, { attempts, nextTryAt, failure }) {
      const failed = {
        attempts,
        next_try_at: timestamp(nextTryAt),
        failure: failure === undefined ? null : JSON.stringify(failure),
        arrived_at: null,
      };
      await db
        .insertInto('deploy.certificates')
        .values({ domain, ...failed })
        .onConflict((conflict) => conflict.column('domain').doUpdateSet(failed))
        .execute();
    },
    async saveIssued(domain, { chain, key, validity }) {
      await update(domain)
        .set({
          ...NO_ORDER,
          chain,
          sealed_key: sealKey(key, domain),
          not_before: new Date(validity.from),
          not_after: new Date(validity.until),
          renew_at: new Date(validity.renewAt),
          attempts: 0,
          next_try_at: null,
          failure: null,
          arrived_at: null,
        })
        .execute();
    },
    async retry(domain) {
      await update(domain).set({ next_try_at: null }).execute();
    },
    async forget(wanted, now) {
      await db
        .deleteFrom('deploy.certificates')
        .where((row) =>
          row.or([row('not_after', 'is', null), row('not_after', '<', new Date(now))]),
        )
        .where(sql<boolean>`domain <> all(${wanted}::text[])`)
        .execute();
      await db
        .deleteFrom('deploy.certificate_orders')
        .where('at', '<', new Date(now - LONGEST_WINDOW_MS))
        .execute();
    },
  };
}

async function countedOrders(db: Database, now: number): Promise<CountedOrder[]> {
  const rows = await db
    .selectFrom('deploy.certificate_orders')
    .select(['user_id', 'is_generated', 'is_renewal', 'at'])
    .where('at', '>', new Date(now - LONGEST_WINDOW_MS))
    .execute();
  return rows.map(({ user_id, is_generated, is_renewal, at }) => ({
    ownerId: user_id ?? undefined,
    isGenerated: is_generated,
    isRenewal: is_renewal,
    at: at.getTime(),
  }));
}

const NO_ORDER = {
  order_id: null,
  order_url: null,
  order_started_at: null,
  sealed_order_key: null,
};

function recordRows(db: Database) {
  return db
    .selectFrom('deploy.certificates')
    .select([
      'domain',
      'not_before',
      'not_after',
      'renew_at',
      'order_url',
      'order_started_at',
      'attempts',
      'next_try_at',
      'failure',
      'arrived_at',
    ]);
}

type RecordRow = Awaited<ReturnType<ReturnType<typeof recordRows>['execute']>>[number];

function toRecord(row: RecordRow): CertificateRecord {
  const { not_before: from, not_after: until, renew_at: renewAt } = row;
  const isIssued = from !== null && until !== null && renewAt !== null;
  return {
    domain: row.domain,
    validity: isIssued
      ? { from: from.getTime(), until: until.getTime(), renewAt: renewAt.getTime() }
      : undefined,
    order:
      row.order_started_at === null
        ? undefined
        : { url: row.order_url ?? undefined, startedAt: row.order_started_at.getTime() },
    attempts: row.attempts,
    nextTryAt: row.next_try_at?.getTime(),
    failure: decodeCertificateFailure(row.failure),
    arrivedAt: row.arrived_at?.getTime(),
  };
}

function timestamp(time: number | undefined): Date | null {
  return time === undefined ? null : new Date(time);
}
