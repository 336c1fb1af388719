import type { HasuraErrors } from '../hasura-error.ts';
import { isTransient, type LiveResult } from './live-result.ts';
import { createThrottledRun, type ThrottledRun, type ThrottledRunDeps } from './throttled-run.ts';

/** The rows after a cursor as JSON text, and the next cursor; undefined if there were no rows. */
export type RowBatch<Cursor> = { text: string; next: Cursor | undefined } | HasuraErrors;

export type RowStreamDeps<Cursor> = Omit<ThrottledRunDeps, 'run'> & {
  /** Never rejects. */
  readBatch: (after: Cursor | undefined) => Promise<RowBatch<Cursor>>;
  /** Resolves when the network has taken the rows; the next batch waits for that. */
  send: (result: LiveResult) => Promise<void>;
};

/** Sends each row after the cursor once, in batches at the client's pace, then new rows as they arrive. */
export function createRowStream<Cursor>({
  readBatch,
  send,
  schedule,
  clock,
}: RowStreamDeps<Cursor>): ThrottledRun {
  let cursor: Cursor | undefined;
  let isSending = false;
  const throttled = createThrottledRun({
    schedule,
    clock,
    async run() {
      // Changes during a send are read after it.
      if (isSending) return 'done';
      const batch = await readBatch(cursor);
      if ('errors' in batch) {
        if (isTransient(batch)) return 'failed';
        void send({ text: JSON.stringify(batch), ...batch });
      } else if (batch.next !== undefined) {
        cursor = batch.next;
        isSending = true;
        void send(batch).then(continueReading);
      }
      return 'done';
    },
  });

  function continueReading(): void {
    isSending = false;
    throttled.invalidate();
  }

  return throttled;
}
