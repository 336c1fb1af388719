import { chartNameOf } from '@longshore/contract';
import { type AppCounters, LATENCY_BOUNDS_MS } from '@longshore/edge-contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** The requests of an app in a range of time. */
export type TrafficSum = Pick<AppCounters, 'statuses' | 'latencies' | 'bytesIn' | 'bytesOut'>;

/** What the edge counted, per app and minute, for the last days. */
export type Traffic = {
  /**
   * Adds a batch, unless this batch of the run, or a later one, was added before. Ignores deleted apps. Returns the counters that
   * were new.
   */
  add(batch: TrafficBatch): Promise<AppCounters[]>;
  /** Sums the minutes from `from` until before `to`. */
  sum(appId: string, range: { from: Date; to: Date }): Promise<TrafficSum>;
  remove(appId: string): Promise<void>;
  removeOld(): Promise<void>;
};

export type TrafficBatch = { run: string; batch: number; counters: AppCounters[] };

const KEPT_DAYS = 7;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const QUARTER = 15;
const STATUS_CLASSES = 5;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export function createTraffic(db: Database, clock: { now(): number }): Traffic {
  const oldest = () => clock.now() - KEPT_DAYS * DAY_MS;

  /** The edge is another process, which may be wrong about anything. */
  function isStorable({ appId, minute }: AppCounters): boolean {
    const at = minute * MINUTE_MS;
    return UUID.test(appId) && at >= oldest() && at <= clock.now() + DAY_MS;
  }

  return {
    add: ({ run, batch, counters }) =>
      db.transaction().execute(async (tx) => {
        const added = await sql`
          insert into deploy.traffic_runs as last (run, batch, stored_at)
          values (${run}, ${batch}, ${new Date(clock.now())})
          on conflict (run) do update set batch = excluded.batch, stored_at = excluded.stored_at
          where last.batch < excluded.batch
        `.execute(tx);
        if (added.numAffectedRows === 0n) return [];
        const rows = uniqueMinutes(counters.filter(isStorable));
        if (rows.length === 0) return [];
        await addRows(tx, 'deploy.traffic_minutes', rows);
        await addRows(tx, 'deploy.traffic_quarters', quartersOf(rows));
        return rows;
      }),
    async sum(appId, { from, to }) {
      const { rows } = await sql<SumRow>`
        with selected as (
          select statuses, latencies, bytes_in, bytes_out from deploy.traffic_minutes
          where app_id = ${appId} and minute >= ${from} and minute < ${to}
        )
        select
          ${sumOf('statuses')} as statuses,
          ${sumOf('latencies')} as latencies,
          (select coalesce(sum(bytes_in), 0)::float8 from selected) as bytes_in,
          (select coalesce(sum(bytes_out), 0)::float8 from selected) as bytes_out
      `.execute(db);
      const [sum] = rows;
      return {
        statuses: filled(sum?.statuses, STATUS_CLASSES) as TrafficSum['statuses'],
        latencies: filled(sum?.latencies, LATENCY_BOUNDS_MS.length + 1),
        bytesIn: sum?.bytes_in ?? 0,
        bytesOut: sum?.bytes_out ?? 0,
      };
    },
    async remove(appId) {
      await sql`delete from deploy.traffic_minutes where app_id = ${appId}`.execute(db);
      await sql`delete from deploy.traffic_quarters where app_id = ${appId}`.execute(db);
    },
    async removeOld() {
      const before = new Date(oldest());
      await sql`delete from deploy.traffic_minutes where minute < ${before}`.execute(db);
      await sql`delete from deploy.traffic_quarters where minute < ${before}`.execute(db);
      await sql`delete from deploy.traffic_runs where stored_at < ${before}`.execute(db);
    },
  };
}

type SumRow = { statuses: number[]; latencies: number[]; bytes_in: number; bytes_out: number };

/** One statement cannot change a row twice. */
function uniqueMinutes(counters: AppCounters[]): AppCounters[] {
  return [...new Map(counters.map((entry) => [`${entry.minute} ${entry.appId}`, entry])).values()];
}

/** The same requests per quarter of an hour. */
function quartersOf(counters: AppCounters[]): AppCounters[] {
  const quarters = new Map<string, AppCounters>();
  for (const entry of counters) {
    const minute = entry.minute - (entry.minute % QUARTER);
    const key = `${minute} ${entry.appId}`;
    const sum = quarters.get(key);
    quarters.set(key, sum === undefined ? { ...entry, minute } : sumOfCounters(sum, entry));
  }
  return [...quarters.values()];
}

function sumOfCounters(one: AppCounters, other: AppCounters): AppCounters {
  return {
    ...one,
    statuses: sumOfCounts(one.statuses, other.statuses) as AppCounters['statuses'],
    latencies: sumOfCounts(one.latencies, other.latencies),
    bytesIn: one.bytesIn + other.bytesIn,
    bytesOut: one.bytesOut + other.bytesOut,
  };
}

function sumOfCounts(one: number[], other: number[]): number[] {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, index) => (one[index] ?? 0) + (other[index] ?? 0));
}

async function addRows(
  tx: Database,
  table: 'deploy.traffic_minutes' | 'deploy.traffic_quarters',
  counters: AppCounters[],
): Promise<void> {
  const rows = counters.map(({ appId, minute, bytesIn, bytesOut, ...counts }) => ({
    ...counts,
    app_id: appId,
    minute: new Date(minute * MINUTE_MS),
    bytes_in: bytesIn,
    bytes_out: bytesOut,
  }));
  await sql`
    insert into ${sql.table(table)} as stored
    select added.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as added(
      app_id uuid, minute timestamptz, statuses bigint[], latencies bigint[], bytes_in bigint, bytes_out bigint
    )
    join public.resources as app on app.id = added.app_id and app.chart_name = ${chartNameOf('app')} and not app.deleted
    on conflict (app_id, minute) do update set
      statuses = ${added('statuses')},
      latencies = ${added('latencies')},
      bytes_in = stored.bytes_in + excluded.bytes_in,
      bytes_out = stored.bytes_out + excluded.bytes_out
  `.execute(tx);
}

type CountsColumn = 'statuses' | 'latencies';

function added(column: CountsColumn) {
  const [stored, excluded] = [sql.ref(`stored.${column}`), sql.ref(`excluded.${column}`)];
  return sql`array(
    select coalesce(old, 0) + coalesce(new, 0)
    from unnest(${stored}, ${excluded}) with ordinality as counts(old, new, position) order by position
  )`;
}

function sumOf(column: CountsColumn) {
  return sql`array(
    select sum(count)::float8 from selected, unnest(${sql.ref(column)}) with ordinality as counts(count, position)
    group by position order by position
  )`;
}

function filled(counts: number[] = [], length: number): number[] {
  return Array.from({ length }, (_, index) => counts[index] ?? 0);
}
