import type { Clock } from '@longshore/edge-contract';
import { createFairQueue } from '../../concurrency/fair-queue.ts';
import type { RowChanges, Rows } from './row-changes.ts';
import { createRowStream, type RowStreamDeps } from './row-stream.ts';
import { createSharedQuery, type SharedQuery, type Subscriber } from './shared-query.ts';

export type LiveQuery = Rows & {
  /** Queries with equal keys have equal results at any time. */
  key: string;
  /** The response as JSON text. Never rejects. */
  execute: () => Promise<string>;
};

export type StreamQuery<Cursor> = Rows & Pick<RowStreamDeps<Cursor>, 'readBatch'>;

/** Both return how to stop. */
export type LiveQueries = {
  /** Sends the whole result now and after each change that alters it. Equal queries share one execution. */
  watch(query: LiveQuery, subscriber: Subscriber): () => void;
  /** Sends each row once, as it appears. */
  stream<Cursor>(query: StreamQuery<Cursor>, send: RowStreamDeps<Cursor>['send']): () => void;
};

export type LiveQueriesDeps = { onChange: RowChanges['onChange']; clock: Clock };

type Watched = { shared: SharedQuery; stopListening: () => void };

/** The pool has eight connections; two stay free for plain queries and mutations. */
const LIMITS = { maxRunning: 6, maxRunningPerKey: 2 };

export function createLiveQueries({ onChange, clock }: LiveQueriesDeps): LiveQueries {
  const watchedByKey = new Map<string, Watched>();
  const queue = createFairQueue(LIMITS);
  const scheduleFor =
    ({ owner = '' }: Rows) =>
    (work: () => Promise<void>) =>
      queue.add(owner, work);

  function open(query: LiveQuery): Watched {
    const schedule = scheduleFor(query);
    const shared = createSharedQuery({ schedule, clock, execute: query.execute });
    const watched = { shared, stopListening: onChange(query, shared.invalidate) };
    watchedByKey.set(query.key, watched);
    return watched;
  }

  return {
    watch(query, subscriber) {
      const watched = watchedByKey.get(query.key) ?? open(query);
      watched.shared.add(subscriber);
      return () => {
        if (!watched.shared.remove(subscriber)) return;
        watched.stopListening();
        if (watchedByKey.get(query.key) === watched) watchedByKey.delete(query.key);
      };
    },
    stream(query, send) {
      const { readBatch } = query;
      const rows = createRowStream({ schedule: scheduleFor(query), clock, readBatch, send });
      const stopListening = onChange(query, rows.invalidate);
      rows.invalidate();
      return () => {
        stopListening();
        rows.stop();
      };
    },
  };
}
