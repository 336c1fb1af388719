import type { Clock } from '../../clock.ts';
import type { GraphqlAnswer } from '../executor.ts';
import type { RowChanges, Rows } from './row-changes.ts';
import { createSharedQuery, type LiveReader, type SharedQuery } from './shared-query.ts';
import { createTurns } from './turns.ts';

export type LiveQuestion = Rows & {
  /** Questions with equal keys have equal answers at any time. */
  key: string;
  /** Never rejects. */
  ask: () => Promise<GraphqlAnswer>;
};

export type LiveQueries = {
  /** Answers how to stop. */
  subscribe(question: LiveQuestion, reader: LiveReader): () => void;
};

export type LiveQueriesDeps = { onChange: RowChanges['onChange']; clock: Clock };

type Shared = { query: SharedQuery; stopListening: () => void };

/** The pool has eight connections; some are left for those who ask once. */
const LIMITS = { atOnce: 6, atOncePerOwner: 2 };

/** The whole answer at once, and again after each change that altered it. The same question is asked once for all. */
export function createLiveQueries({ onChange, clock }: LiveQueriesDeps): LiveQueries {
  const queries = new Map<string, Shared>();
  const takeTurn = createTurns(LIMITS);

  function open(question: LiveQuestion): Shared {
    const query = createSharedQuery({
      ask: question.ask,
      clock,
      takeTurn: (work) => takeTurn(question.owner ?? '', work),
    });
    const shared = { query, stopListening: onChange(question, query.touch) };
    queries.set(question.key, shared);
    return shared;
  }

  return {
    subscribe(question, reader) {
      const shared = queries.get(question.key) ?? open(question);
      shared.query.add(reader);
      return () => {
        if (!shared.query.remove(reader)) return;
        shared.stopListening();
        if (queries.get(question.key) === shared) queries.delete(question.key);
      };
    },
  };
}
