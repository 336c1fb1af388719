import { sql } from 'kysely';
import { createSemaphore, type Semaphore } from '../concurrency/semaphore.ts';
import type { Database } from '../db/database.ts';
import { CHUNK_BYTES, decompress } from './log-chunks.ts';
import type { LogSegments, LogStorage, SegmentName } from './log-storage.ts';
import { createLogTableMerges, type LogTableMerges } from './log-table-merges.ts';
import { createLogTableWrites, type LogKey, type LogTableWrites } from './log-table-writes.ts';

const APP_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The chunks of a segment are merged after this many writes, and when it is complete. */
const WRITES_PER_MERGE = 256;
/** A new leader asks for the ends of all logs that get lines: this must not take the connections of everything else. */
const LOOKUPS = 2;

type TableDeps = {
  db: Database;
  writes: LogTableWrites;
  merges: LogTableMerges;
  lookups: Semaphore;
};

/** Segments in the database, as compressed chunks. Each server that becomes the writer has the next term. */
export function createLogTables(db: Database, report: (error: unknown) => void): LogStorage {
  let current: number | undefined;
  const term = () => current;
  const writes = createLogTableWrites({ db, term });
  const merges = createLogTableMerges({ db, term, report });
  const lookups = createSemaphore(LOOKUPS);
  return {
    isShared: true,
    of(appId, log) {
      if (!APP_ID.test(appId)) throw new RangeError('An app id is a UUID');
      return createSegmentTable({ appId, log }, { db, writes, merges, lookups });
    },
    remove: (appId) =>
      merges.exclude(async () => {
        await sql`
          with removed as (delete from deploy.logs where app_id = ${appId} returning app_id, log)
          select pg_notify('logs', json_build_object('appId', app_id, 'log', log, 'last', 0)::text)
          from removed`.execute(db);
      }),
    async resume() {
      current = await db.transaction().execute(async (tx) => {
        // Waits for the writes and merges of other servers. Later ones see the new term. Neither readers and backups nor a vacuum
        // of the tables with lines, which may take hours, conflict with it.
        await sql`lock table deploy.log_writer in exclusive mode`.execute(tx);
        const { rows } = await sql<{ term: string }>`
          update deploy.log_writer set term = term + 1 returning term`.execute(tx);
        return Number(rows[0]?.term);
      });
    },
    close: merges.close,
  };
}

function createSegmentTable(key: LogKey, { db, writes, merges, lookups }: TableDeps): LogSegments {
  const { appId, log } = key;
  const ofLog = sql`app_id = ${appId} and log = ${log}`;
  /** The segment of each stream that was written last, and how often since its chunks were merged. */
  const written = new Map<string, { segment: number; count: number }>();

  async function list(stream: string): Promise<number[]> {
    const { rows } = await sql<{ segment: string }>`
      select distinct segment from deploy.log_chunks where ${ofLog} and stream = ${stream}
      order by segment`.execute(db);
    return rows.map(({ segment }) => Number(segment));
  }

  function requestMerges(pieces: SegmentName[]): void {
    for (const { stream, segment } of pieces) {
      const before = written.get(stream) ?? { segment, count: 0 };
      const count = before.segment === segment ? before.count + 1 : 1;
      const isDue = count >= WRITES_PER_MERGE;
      written.set(stream, { segment, count: isDue ? 0 : count });
      if (before.segment !== segment) merges.request({ ...key, stream, segment: before.segment });
      if (isDue) merges.request({ ...key, stream, segment });
    }
  }

  return {
    list,
    async stored() {
      const query = sql<{ stream: string | null; last: string | null; total: string }>`
        select streams.stream, streams.last_sequence as last, logs.last_sequence as total
        from deploy.logs left join deploy.log_streams as streams using (app_id, log)
        where ${ofLog}`;
      const { rows } = await lookups.run(() => query.execute(db));
      const streams = rows.flatMap(({ stream, last }) =>
        stream === null ? [] : [[stream, Number(last)] as const],
      );
      return { streams: new Map(streams), last: Number(rows[0]?.total ?? 0) };
    },
    async readRange(stream, segment, { start, maxBytes }) {
      const chunks = sql`deploy.log_chunks
        where ${ofLog} and stream = ${stream} and segment = ${segment}`;
      const { rows } = await sql<{
        total: number;
        from: number;
        start: number | null;
        content: Buffer | null;
      }>`
        with whole as (
          select start + size as total from ${chunks} order by start desc limit 1
        ), range as (
          select total, case when ${start}::integer < 0
            then greatest(0, total + ${start}::integer) else ${start}::integer end as "from"
          from whole
        )
        select range.total, range."from", chunk.start, chunk.content from range left join lateral (
          select start, content from ${chunks}
          and start > range."from" - ${CHUNK_BYTES}::integer and start + size > range."from"
          and start < range."from" + ${maxBytes}::integer
        ) as chunk on true order by chunk.start`.execute(db);
      const [first] = rows;
      if (first === undefined) return undefined;
      const parts = await Promise.all(rows.map(({ content }) => content && decompress(content)));
      const bytes = Buffer.concat(parts.filter((part) => part !== null));
      const skipped = first.from - (first.start ?? first.from);
      return { bytes: bytes.subarray(skipped, skipped + maxBytes), segmentBytes: first.total };
    },
    async bytesOf(stream) {
      const { rows } = await sql<{ bytes: string }>`
        select coalesce(sum(size), 0) as bytes from deploy.log_chunks
        where ${ofLog} and stream = ${stream}`.execute(db);
      return Number(rows[0]?.bytes);
    },
    async endOf(stream) {
      const query = sql<{ segment: string; bytes: string }>`
        select segment, sum(size) as bytes from deploy.log_chunks
        where ${ofLog} and stream = ${stream} group by segment order by segment`;
      const { rows } = await lookups.run(() => query.execute(db));
      return {
        segments: rows.map(({ segment }) => Number(segment)),
        bytes: Number(rows.at(-1)?.bytes ?? 0),
      };
    },
    async append(write) {
      await writes.add(key, write);
      requestMerges(write.pieces);
    },
    async removeStream(stream) {
      written.delete(stream);
      await sql`delete from deploy.log_streams where ${ofLog} and stream = ${stream}`.execute(db);
    },
  };
}
