import type { ExecutionResult } from 'graphql';
import type { HasuraError } from '../hasura-error.ts';
import type { LiveReader } from '../live/shared-query.ts';
import type { Peer } from './dialect.ts';

export type LastingDeps = {
  id: string;
  peer: Pick<Peer, 'outbox'>;
  subscribe: (reader: LiveReader) => () => void;
};

/**
 * A live query in the form the library wants. It yields nothing: the answers go to the outbox by themselves, since
 * the library would write each of them anew for every reader. It ends when the library ends it, or throws the error
 * that the library then passes on.
 */
export function lastingAnswers({
  id,
  peer,
  subscribe,
}: LastingDeps): AsyncGenerator<ExecutionResult, void, void> {
  const over = Promise.withResolvers<IteratorResult<ExecutionResult, void>>();
  const head = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
  const stop = subscribe(({ text, errors }) => {
    if (errors === undefined) peer.outbox.show(id, `${head}${text}}`);
    else over.reject(new LiveQueryFailed(errors));
  });
  const end = async () => {
    const done = { done: true, value: undefined } as const;
    stop();
    peer.outbox.withdraw(id);
    over.resolve(done);
    return done;
  };
  over.promise.catch(end);
  return {
    next: () => over.promise,
    return: end,
    async throw(error) {
      await end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}

/** GraphQL's errors take over message and extensions of what they were made from. */
class LiveQueryFailed extends Error {
  readonly extensions: HasuraError['extensions'] | undefined;

  constructor([first]: HasuraError[]) {
    super(first?.message);
    this.name = 'LiveQueryFailed';
    this.extensions = first?.extensions;
  }
}
