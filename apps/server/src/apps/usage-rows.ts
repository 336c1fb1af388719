import { chartNameOf, METRIC_STEPS } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { MINUTE_MS, mergeMinutes, type UsageMinute } from './usage-minutes.ts';

/** What instances used, per minute and per quarter of an hour, for the last days. */
export type UsageRows = {
  /** Adds to what is stored, in one statement. Ignores deleted apps. */
  add(minutes: UsageMinute[]): Promise<void>;
  remove(appId: string): Promise<void>;
  removeOld(): Promise<void>;
};

const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;
const MILLISECONDS = 1_000;

export function createUsageRows(db: Database, clock: { now(): number }): UsageRows {
  return {
    async add(minutes) {
      const rows = METRIC_STEPS.flatMap((step) =>
        mergeMinutes(minutes, step).map((row) => rowOf(step, row)),
      );
      if (rows.length > 0) await addRows(db, rows);
    },
    async remove(appId) {
      await sql`delete from deploy.usage where app_id = ${appId}`.execute(db);
    },
    async removeOld() {
      const before = new Date(clock.now() - KEPT_DAYS * DAY_MS);
      await sql`delete from deploy.usage where at < ${before}`.execute(db);
    },
  };
}

function rowOf(step: number, usage: UsageMinute) {
  return {
    app_id: usage.appId,
    step,
    at: new Date(usage.minute * MINUTE_MS),
    instance: usage.instanceId,
    covered_ms: Math.round(usage.coveredMs),
    cpu_ms: rounded(usage.cpuSeconds, MILLISECONDS),
    memory_bytes: rounded(usage.memoryBytes),
    received_bytes: rounded(usage.receivedBytes),
    sent_bytes: rounded(usage.sentBytes),
    disk_bytes: rounded(usage.diskBytes),
  };
}

function rounded(amount: number | undefined, factor = 1): number | null {
  return amount === undefined ? null : Math.round(amount * factor);
}

async function addRows(db: Database, rows: ReturnType<typeof rowOf>[]): Promise<void> {
  await sql`
    insert into deploy.usage as stored
    select added.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as added(
      app_id uuid, step smallint, at timestamptz, instance text, covered_ms integer, cpu_ms integer,
      memory_bytes bigint, received_bytes bigint, sent_bytes bigint, disk_bytes bigint
    )
    join public.resources as app on app.id = added.app_id and app.chart_name = ${chartNameOf('app')} and not app.deleted
    on conflict (app_id, step, at, instance) do update set
      covered_ms = stored.covered_ms + excluded.covered_ms,
      cpu_ms = ${sum('cpu_ms')},
      memory_bytes = greatest(stored.memory_bytes, excluded.memory_bytes),
      received_bytes = ${sum('received_bytes')},
      sent_bytes = ${sum('sent_bytes')},
      disk_bytes = coalesce(excluded.disk_bytes, stored.disk_bytes)
  `.execute(db);
}

/** Unknown only if both are. */
function sum(column: 'cpu_ms' | 'received_bytes' | 'sent_bytes') {
  const [stored, added] = [sql.ref(`stored.${column}`), sql.ref(`excluded.${column}`)];
  return sql`coalesce(${stored} + ${added}, ${stored}, ${added})`;
}
