import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../db/database.ts';
import { type Chunk, compress, toChunks } from './log-chunks.ts';
import { type LogKind, LogSuperseded, type LogWrite, type SegmentName } from './log-storage.ts';

export type LogKey = { appId: string; log: LogKind };

/** Stores lines of many logs. Those that arrive while others are stored share the next statement. */
export type LogTableWrites = {
  /** Throws `LogSuperseded` if another server is the writer. At most one write of a log at a time. */
  add(key: LogKey, write: LogWrite): Promise<void>;
};

type WriteDeps = {
  db: Database;
  /** Undefined on a server that has never been the writer. */
  term(): number | undefined;
};

type CompressedChunk = SegmentName & Chunk & { content: Buffer };

type Pending = {
  key: LogKey;
  write: LogWrite;
  chunks: CompressedChunk[];
  settle(problem: unknown): void;
};

/** The other connections of the server are for everything else. */
const CONNECTIONS = 2;
const WRITES_PER_STATEMENT = 200;
const BYTES_PER_STATEMENT = 1024 * 1024;

export function createLogTableWrites(deps: WriteDeps): LogTableWrites {
  const queue: Pending[] = [];
  let running = 0;

  async function storeQueued(): Promise<void> {
    running += 1;
    while (queue.length > 0) {
      await storeAndSettle(takeBatch(queue));
    }
    running -= 1;
  }

  async function storeAndSettle(batch: Pending[]): Promise<void> {
    try {
      const problems = await storeBatch(batch, deps);
      for (const [index, { settle }] of batch.entries()) settle(problems[index]);
    } catch (error) {
      if (batch.length > 1 && isAboutValues(error)) {
        for (const write of batch) await storeAndSettle([write]);
      } else {
        for (const { settle } of batch) settle(error);
      }
    }
  }

  return {
    async add(key, write) {
      const chunks = await compressed(write);
      await new Promise<void>((resolve, reject) => {
        const settle = (problem: unknown) => (problem === undefined ? resolve() : reject(problem));
        queue.push({ key, write, chunks, settle });
        if (running < CONNECTIONS) void storeQueued();
      });
    },
  };
}

async function compressed({ pieces }: LogWrite): Promise<CompressedChunk[]> {
  const chunks = pieces.flatMap(({ stream, segment, start, text }) =>
    toChunks(Buffer.from(text), start).map((chunk) => ({ stream, segment, ...chunk })),
  );
  return await Promise.all(
    chunks.map(async ({ bytes, ...chunk }) => ({ ...chunk, content: await compress(bytes) })),
  );
}

/** Then one write is wrong, and the others of the statement are not. */
function isAboutValues(error: unknown): boolean {
  const [dataException, integrityViolation] = ['22', '23'];
  const errorClass = error instanceof pg.DatabaseError ? error.code?.slice(0, 2) : undefined;
  return errorClass === dataException || errorClass === integrityViolation;
}

/** The first ones, at least one. */
function takeBatch(queue: Pending[]): Pending[] {
  let bytes = 0;
  let count = 0;
  while (count < Math.min(queue.length, WRITES_PER_STATEMENT) && bytes < BYTES_PER_STATEMENT) {
    for (const { content } of queue[count]?.chunks ?? []) bytes += content.length;
    count += 1;
  }
  return queue.splice(0, count);
}

/** Returns what is wrong with each write; undefined if it is stored. */
async function storeBatch(batch: Pending[], { db, term }: WriteDeps): Promise<unknown[]> {
  const current = term();
  if (current === undefined) return batch.map(() => new LogSuperseded());
  const stored = await runStatement(batch, current, db);
  if (batch.every(({ key }) => stored.has(nameOf(key)))) return [];
  const { rows } = await sql<{ term: string }>`select term from deploy.log_writer`.execute(db);
  const isSuperseded = Number(rows[0]?.term) !== current;
  return batch.map(({ key, write }) => {
    if (stored.has(nameOf(key))) return undefined;
    if (isSuperseded) return new LogSuperseded();
    return new Error(`The log of app ${key.appId} does not end with line ${write.after}`);
  });
}

/**
 * Adds everything of a write, or nothing if another server is the writer or the log does not end with the line before. The database
 * need not wait for its disk: when it crashes, it loses less than the last second, lines and records alike.
 */
async function runStatement(batch: Pending[], term: number, db: Database): Promise<Set<string>> {
  const writes = batch.map(({ key, write }) => ({ ...key, ...write }));
  const ends = batch.flatMap(({ key, write }) => {
    const last = new Map(write.pieces.map((piece) => [piece.stream, piece.last]));
    return [...last].map(([stream, sequence]) => ({ ...key, stream, last: sequence }));
  });
  const chunks = batch.flatMap(({ key, chunks: own }) =>
    own.map((chunk) => ({ ...key, ...chunk })),
  );
  const old = writes.flatMap(({ appId, log, removed }) =>
    removed.map((segment) => ({ appId, log, ...segment })),
  );
  const records = writes.flatMap(({ appId, log, records: own }) =>
    own.map(({ path, value }) => ({ appId, log, path, value: JSON.stringify(value) })),
  );
  const { rows } = await sql<LogKey>`
    with ${currentWriter(term)}, wanted as (
      select wanted.* from writer, unnest(
        ${column(writes, 'appId')}::uuid[], ${column(writes, 'log')}::text[],
        ${column(writes, 'after')}::bigint[], ${column(writes, 'last')}::bigint[]
      ) as wanted(app_id, log, after, last)
    ), started as (
      insert into deploy.logs as existing (app_id, log, last_sequence)
      select app_id, log, last from wanted where after = 0
      on conflict (app_id, log) do update set last_sequence = excluded.last_sequence
      where existing.last_sequence = 0
      returning app_id, log, last_sequence
    ), continued as (
      update deploy.logs as existing set last_sequence = wanted.last from wanted
      where existing.app_id = wanted.app_id and existing.log = wanted.log
      and wanted.after > 0 and existing.last_sequence = wanted.after
      returning existing.app_id, existing.log, existing.last_sequence
    ), head as (
      select * from started union all select * from continued
    ), streams as (
      insert into deploy.log_streams (app_id, log, stream, last_sequence)
      select app_id, log, ended.stream, ended.last from head join unnest(
        ${column(ends, 'appId')}::uuid[], ${column(ends, 'log')}::text[],
        ${column(ends, 'stream')}::text[], ${column(ends, 'last')}::bigint[]
      ) as ended(app_id, log, stream, last) using (app_id, log)
      on conflict (app_id, log, stream) do update set last_sequence = excluded.last_sequence
    ), chunks as (
      insert into deploy.log_chunks (app_id, log, stream, segment, start, size, content)
      select chunk.* from head join unnest(
        ${column(chunks, 'appId')}::uuid[], ${column(chunks, 'log')}::text[],
        ${column(chunks, 'stream')}::text[], ${column(chunks, 'segment')}::bigint[],
        ${column(chunks, 'start')}::integer[], ${column(chunks, 'size')}::integer[],
        ${column(chunks, 'content')}::bytea[]
      ) as chunk(app_id, log, stream, segment, start, size, content) using (app_id, log)
    ), removed as (
      delete from deploy.log_chunks as chunk using head, unnest(
        ${column(old, 'appId')}::uuid[], ${column(old, 'log')}::text[],
        ${column(old, 'stream')}::text[], ${column(old, 'segment')}::bigint[]
      ) as old(app_id, log, stream, segment)
      where old.app_id = head.app_id and old.log = head.log
      and chunk.app_id = old.app_id and chunk.log = old.log
      and chunk.stream = old.stream and chunk.segment = old.segment
    ), records as (
      insert into deploy.engine_records (path, value)
      select record.path, record.value from head join unnest(
        ${column(records, 'appId')}::uuid[], ${column(records, 'log')}::text[],
        ${column(records, 'path')}::text[], ${column(records, 'value')}::jsonb[]
      ) as record(app_id, log, path, value) using (app_id, log)
      on conflict (path) do update set value = excluded.value
    )
    select app_id as "appId", log, set_config('synchronous_commit', 'off', true), pg_notify(
      'logs', json_build_object('appId', app_id, 'log', log, 'last', last_sequence)::text
    ) from head`.execute(db);
  return new Set(rows.map(nameOf));
}

/**
 * `writer` has a row if this server is the writer. Deletes nothing: the statement thereby has the lock of the table that conflicts
 * with the one of `resume`, from before it sees the term until it ends.
 */
export function currentWriter(term: number) {
  return sql`term_lock as (
      delete from deploy.log_writer where false
    ), writer as (
      select from deploy.log_writer where term = ${term}
    )`;
}

function column<Row, Name extends keyof Row>(rows: Row[], name: Name): Row[Name][] {
  return rows.map((row) => row[name]);
}

function nameOf({ appId, log }: LogKey): string {
  return `${appId.toLowerCase()} ${log}`;
}
