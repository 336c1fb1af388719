import { sql } from 'kysely';
import { createSemaphore } from '../concurrency/semaphore.ts';
import type { Database } from '../db/database.ts';
import { type Chunk, compress, decompress, planMerges } from './log-chunks.ts';
import type { SegmentName } from './log-storage.ts';
import { currentWriter, type LogKey } from './log-table-writes.ts';

/** Merges small chunks in the background, one segment at a time. A failure costs only space. */
export type LogTableMerges = {
  request(segment: LogKey & SegmentName): void;
  /** Runs work that must not meet a merge. */
  exclude(work: () => Promise<void>): Promise<void>;
  /** Finishes the current merge and begins no other. */
  close(): Promise<void>;
};

type MergeDeps = { db: Database; term(): number | undefined; report(error: unknown): void };

export function createLogTableMerges({ db, term, report }: MergeDeps): LogTableMerges {
  const turns = createSemaphore(1);
  let isClosed = false;
  return {
    request(segment) {
      const merge = async () => {
        const current = term();
        if (!isClosed && current !== undefined) await mergeChunks(segment, current, db);
      };
      void turns.run(merge).catch(report);
    },
    exclude: (work) => turns.run(work),
    async close() {
      isClosed = true;
      await turns.run(async () => {});
    },
  };
}

/** A reader sees the chunks before or after, which are the same bytes at the same positions. */
async function mergeChunks(
  { appId, log, stream, segment }: LogKey & SegmentName,
  term: number,
  db: Database,
): Promise<void> {
  const ofSegment = sql`app_id = ${appId} and log = ${log} and stream = ${stream} and segment = ${segment}`;
  const { rows } = await sql<Chunk>`
    select start, size from deploy.log_chunks where ${ofSegment} order by start`.execute(db);
  for (const { start, size } of planMerges(rows)) {
    const inMerged = sql`${ofSegment} and start >= ${start} and start < ${start + size}`;
    const { rows: parts } = await sql<{ content: Buffer }>`
      select content from deploy.log_chunks where ${inMerged} order by start`.execute(db);
    if (parts.length === 0) return;
    const bytes = await Promise.all(parts.map(({ content }) => decompress(content)));
    const content = await compress(Buffer.concat(bytes));
    await sql`
      with ${currentWriter(term)}, removed as (
        delete from deploy.log_chunks using writer where ${inMerged} and start > ${start}
      )
      update deploy.log_chunks set size = ${size}, content = ${content} from writer
      where ${ofSegment} and start = ${start}`.execute(db);
  }
}
