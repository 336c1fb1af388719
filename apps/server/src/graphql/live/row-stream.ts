import type { HasuraErrors } from '../hasura-error.ts';
import { isPassing, type LiveAnswer } from './live-result.ts';
import { createPacedRun, type PacedRun, type PacedRunDeps } from './throttled-run.ts';

/** Some rows behind a cursor, and the cursor behind them; none when there were no rows. */
export type RowBatch<Cursor> = { text: string; next: Cursor | undefined } | HasuraErrors;

export type RowStreamDeps<Cursor> = Omit<PacedRunDeps, 'run'> & {
  /** Never rejects. */
  batch: (after: Cursor | undefined) => Promise<RowBatch<Cursor>>;
  /** Resolves when the reader has it; the next rows wait for that. */
  send: (answer: LiveAnswer) => Promise<void>;
};

/** Each row behind the cursor once, batch after batch at the reader's pace, and new ones as they come. */
export function createRowStream<Cursor>({ batch, send, ...deps }: RowStreamDeps<Cursor>): PacedRun {
  let cursor: Cursor | undefined;
  let isSending = false;
  const paced = createPacedRun({
    ...deps,
    async run() {
      // What changes meanwhile is found when the reader is ready for more.
      if (isSending) return 'done';
      const found = await batch(cursor);
      if ('errors' in found) {
        if (isPassing(found)) return 'failed';
        void send({ text: JSON.stringify(found), ...found });
      } else if (found.next !== undefined) {
        cursor = found.next;
        isSending = true;
        void send(found).then(goOn);
      }
      return 'done';
    },
  });

  function goOn(): void {
    isSending = false;
    paced.touch();
  }

  return paced;
}
