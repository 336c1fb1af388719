import { createFairQueue } from '../../concurrency/fair-queue.ts';
import type { Clock } from '../../schedule/clock.ts';
import type { RowChanges, Rows } from './row-changes.ts';
import { createRowStream, type RowStreamDeps } from './row-stream.ts';
import { createSharedQuery, type LiveReader, type SharedQuery } from './shared-query.ts';

export type LiveQuestion = Rows & {
  /** Questions with equal keys have equal answers at any time. */
  key: string;
  /** The answer as text. Never rejects. */
  ask: () => Promise<string>;
};

export type StreamQuestion<Cursor> = Rows & Pick<RowStreamDeps<Cursor>, 'batch'>;

/** Both answer how to stop. */
export type LiveQueries = {
  /** The whole answer at once, and again after each change that altered it. The same question is asked once for all. */
  watch(question: LiveQuestion, reader: LiveReader): () => void;
  /** Each row once, as it comes. */
  stream<Cursor>(question: StreamQuestion<Cursor>, send: RowStreamDeps<Cursor>['send']): () => void;
};

export type LiveQueriesDeps = { onChange: RowChanges['onChange']; clock: Clock };

type Shared = { query: SharedQuery; stopListening: () => void };

/** The pool has eight connections; two stay free for plain queries and mutations. */
const LIMITS = { maxRunning: 6, maxRunningPerKey: 2 };

export function createLiveQueries({ onChange, clock }: LiveQueriesDeps): LiveQueries {
  const queries = new Map<string, Shared>();
  const queue = createFairQueue(LIMITS);
  const paceOf = ({ owner = '' }: Rows) => ({
    clock,
    schedule: (work: () => Promise<void>) => queue.add(owner, work),
  });

  function open(question: LiveQuestion): Shared {
    const query = createSharedQuery({ ...paceOf(question), ask: question.ask });
    const shared = { query, stopListening: onChange(question, query.touch) };
    queries.set(question.key, shared);
    return shared;
  }

  return {
    watch(question, reader) {
      const shared = queries.get(question.key) ?? open(question);
      shared.query.add(reader);
      return () => {
        if (!shared.query.remove(reader)) return;
        shared.stopListening();
        if (queries.get(question.key) === shared) queries.delete(question.key);
      };
    },
    stream(question, send) {
      const rows = createRowStream({ ...paceOf(question), batch: question.batch, send });
      const stopListening = onChange(question, rows.touch);
      rows.touch();
      return () => {
        stopListening();
        rows.stop();
      };
    },
  };
}
