import { sql } from 'kysely';
import { createSemaphore } from '../concurrency/semaphore.ts';
import type { Database } from '../db/database.ts';
import {
  CHUNK_BYTES,
  type Chunk,
  compress,
  decompress,
  planMerges,
  toChunks,
} from './log-chunks.ts';
import {
  type LogKind,
  type LogSegments,
  type LogStorage,
  LogSuperseded,
  type LogWrite,
  type SegmentName,
} from './log-storage.ts';

const APP_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The other connections are for everything else. */
const CONNECTIONS = 3;
/** The chunks of a segment are merged after this many writes, and when it is complete. */
const WRITES_PER_MERGE = 64;

type LogKey = { appId: string; log: LogKind };
/** `term`: undefined on a server that has never been the writer. */
type TableDeps = {
  db: Database;
  term(): number | undefined;
  limit: <Result>(work: () => Promise<Result>) => Promise<Result>;
  report(error: unknown): void;
};

/**
 * Segments in the database, as compressed chunks. Each server that becomes the writer takes the next term and marks all logs with
 * it. A write is one statement that succeeds only in its term and after the line that it expects, so none is stored twice.
 */
export function createLogTables(db: Database, report: (error: unknown) => void): LogStorage {
  let term: number | undefined;
  const writes = createSemaphore(CONNECTIONS);
  const deps: TableDeps = { db, term: () => term, limit: (work) => writes.run(work), report };
  return {
    isShared: true,
    of(appId, log) {
      if (!APP_ID.test(appId)) throw new RangeError('An app id is a UUID');
      return createSegmentTable({ appId, log }, deps);
    },
    async remove(appId) {
      await sql`
        with removed as (delete from deploy.logs where app_id = ${appId} returning log)
        select pg_notify('logs', json_build_object('appId', ${appId}::text, 'log', log, 'last', 0)::text)
        from removed`.execute(db);
    },
    async resume() {
      term = await db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ term: string }>`
          update deploy.log_writer set term = term + 1 returning term`.execute(tx);
        const next = Number(rows[0]?.term);
        await sql`update deploy.logs set term = ${next}`.execute(tx);
        return next;
      });
    },
  };
}

function createSegmentTable(key: LogKey, deps: TableDeps): LogSegments {
  const { db, limit } = deps;
  const { appId, log } = key;
  const ofLog = sql`app_id = ${appId} and log = ${log}`;
  /** The segment of each stream that was written last, and how often since its chunks were merged. */
  const written = new Map<string, { segment: number; writes: number }>();

  async function list(stream: string): Promise<number[]> {
    const { rows } = await sql<{ segment: string }>`
      select distinct segment from deploy.log_chunks where ${ofLog} and stream = ${stream}
      order by segment`.execute(db);
    return rows.map(({ segment }) => Number(segment));
  }

  /** A failure costs only space. */
  async function mergeSmallChunks(pieces: SegmentName[]): Promise<void> {
    for (const { stream, segment } of pieces) {
      const before = written.get(stream) ?? { segment, writes: 0 };
      const writes = before.segment === segment ? before.writes + 1 : 1;
      const isDue = writes >= WRITES_PER_MERGE;
      written.set(stream, { segment, writes: isDue ? 0 : writes });
      try {
        if (before.segment !== segment)
          await mergeChunks(key, { stream, segment: before.segment }, deps);
        if (isDue) await mergeChunks(key, { stream, segment }, deps);
      } catch (error) {
        deps.report(error);
      }
    }
  }

  return {
    list,
    async stored() {
      const { rows } = await sql<{ stream: string | null; last: string | null; total: string }>`
        select streams.stream, streams.last_sequence as last, logs.last_sequence as total
        from deploy.logs left join deploy.log_streams as streams using (app_id, log)
        where ${ofLog}`.execute(db);
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
      const { rows } = await sql<{ segment: string; bytes: string }>`
        select segment, sum(size) as bytes from deploy.log_chunks
        where ${ofLog} and stream = ${stream} group by segment order by segment`.execute(db);
      return {
        segments: rows.map(({ segment }) => Number(segment)),
        bytes: Number(rows.at(-1)?.bytes ?? 0),
      };
    },
    append: (write) =>
      limit(async () => {
        await storeLines(key, write, deps);
        await mergeSmallChunks(write.pieces);
      }),
    async removeStream(stream) {
      written.delete(stream);
      await sql`delete from deploy.log_streams where ${ofLog} and stream = ${stream}`.execute(db);
    },
  };
}

/** Throws `LogSuperseded` if another server is the writer. */
async function storeLines(
  { appId, log }: LogKey,
  { pieces, removed, after, last, records }: LogWrite,
  deps: TableDeps,
): Promise<void> {
  const term = deps.term();
  if (term === undefined) throw new LogSuperseded();
  const chunks = pieces.flatMap(({ stream, segment, start, text }) =>
    toChunks(Buffer.from(text), start).map((chunk) => ({ stream, segment, ...chunk })),
  );
  const contents = await Promise.all(chunks.map(({ bytes }) => compress(bytes)));
  const ends = new Map(pieces.map((piece) => [piece.stream, piece.last]));
  // The first write takes the term from its own table, so that none of an earlier term comes after `resume`.
  const head =
    after === 0
      ? sql`writer as (
          select term from deploy.log_writer where term = ${term} for share
        ), head as (
          insert into deploy.logs as existing (app_id, log, term, last_sequence)
          select ${appId}::uuid, ${log}, term, ${last}::bigint from writer
          on conflict (app_id, log) do update set last_sequence = excluded.last_sequence
          where existing.term = excluded.term and existing.last_sequence = 0
          returning app_id, log
        )`
      : sql`head as (
          update deploy.logs set last_sequence = ${last}
          where app_id = ${appId} and log = ${log} and term = ${term} and last_sequence = ${after}
          returning app_id, log
        )`;
  // The database need not wait for its disk: when it crashes, it loses less than the last second, lines and records alike.
  const { rows } = await sql`
    with ${head}, streams as (
      insert into deploy.log_streams (app_id, log, stream, last_sequence)
      select head.app_id, head.log, ended.stream, ended.last
      from head, unnest(${[...ends.keys()]}::text[], ${[...ends.values()]}::bigint[]) as ended(stream, last)
      on conflict (app_id, log, stream) do update set last_sequence = excluded.last_sequence
    ), chunks as (
      insert into deploy.log_chunks (app_id, log, stream, segment, start, size, content)
      select head.app_id, head.log, chunk.* from head, unnest(
        ${chunks.map(({ stream }) => stream)}::text[], ${chunks.map(({ segment }) => segment)}::bigint[],
        ${chunks.map(({ start }) => start)}::integer[], ${chunks.map(({ size }) => size)}::integer[],
        ${contents}::bytea[]
      ) as chunk
    ), removed as (
      delete from deploy.log_chunks as chunk using head, unnest(
        ${removed.map(({ stream }) => stream)}::text[], ${removed.map(({ segment }) => segment)}::bigint[]
      ) as old(stream, segment)
      where chunk.app_id = head.app_id and chunk.log = head.log
      and chunk.stream = old.stream and chunk.segment = old.segment
    ), records as (
      insert into deploy.engine_records (path, value)
      select record.* from head, unnest(
        ${records.map(({ path }) => path)}::text[],
        ${records.map(({ value }) => JSON.stringify(value))}::jsonb[]
      ) as record
      on conflict (path) do update set value = excluded.value
    )
    select set_config('synchronous_commit', 'off', true), pg_notify(
      'logs', json_build_object('appId', app_id, 'log', log, 'last', ${last}::bigint)::text
    ) from head`.execute(deps.db);
  if (rows.length > 0) return;
  const { rows: current } = await sql<{ term: string }>`
    select term from deploy.log_writer`.execute(deps.db);
  if (Number(current[0]?.term) !== term) throw new LogSuperseded();
  throw new Error(`The log of app ${appId} does not end with line ${after}`);
}

/** A reader sees the chunks before or after, which are the same bytes at the same positions. */
async function mergeChunks(
  { appId, log }: LogKey,
  { stream, segment }: SegmentName,
  { db, term }: TableDeps,
): Promise<void> {
  const ofSegment = sql`app_id = ${appId} and log = ${log} and stream = ${stream} and segment = ${segment}`;
  const { rows } = await sql<Chunk>`
    select start, size from deploy.log_chunks where ${ofSegment} order by start`.execute(db);
  for (const { start, size } of planMerges(rows)) {
    const inMerged = sql`${ofSegment} and start >= ${start} and start < ${start + size}`;
    const { rows: parts } = await sql<{ content: Buffer }>`
      select content from deploy.log_chunks where ${inMerged} order by start`.execute(db);
    const bytes = await Promise.all(parts.map(({ content }) => decompress(content)));
    const content = await compress(Buffer.concat(bytes));
    await sql`
      with head as (
        select from deploy.logs where app_id = ${appId} and log = ${log} and term = ${term() ?? 0} for update
      ), removed as (
        delete from deploy.log_chunks using head where ${inMerged} and start > ${start}
      )
      update deploy.log_chunks set size = ${size}, content = ${content} from head
      where ${ofSegment} and start = ${start}`.execute(db);
  }
}
