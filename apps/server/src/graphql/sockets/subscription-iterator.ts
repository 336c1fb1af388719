import type { ExecutionResult } from 'graphql';
import type { HasuraError } from '../hasura-error.ts';
import type { LiveResult } from '../live/live-result.ts';
import type { ResultSink } from './operations.ts';
import type { Outbox } from './outbox.ts';

export type SubscriptionDeps = {
  id: string;
  outbox: Outbox;
  follow: (sink: ResultSink) => () => void;
};

/** A message of the subprotocol, with a result that is JSON text already. */
export function nextFrame(id: string, result: string): string {
  return `{"id":${JSON.stringify(id)},"type":"next","payload":${result}}`;
}

/**
 * A live query as the iterator that the library expects. It yields nothing: results go to the outbox directly, because
 * the library would serialise each of them for every client. It ends when the library ends it, or throws the error that
 * the library then sends.
 */
export function subscriptionIterator({
  id,
  outbox,
  follow,
}: SubscriptionDeps): AsyncGenerator<ExecutionResult, void, void> {
  const ended = Promise.withResolvers<IteratorResult<ExecutionResult, void>>();
  const sendOrFail = <Sent>({ text, errors }: LiveResult, send: (frame: string) => Sent) => {
    if (errors === undefined) return send(nextFrame(id, text));
    return ended.reject(new LiveQueryFailed(errors));
  };
  const stop = follow({
    latest: (result) => void sendOrFail(result, (frame) => outbox.sendLatest(id, frame)),
    every: async (result) => await sendOrFail(result, outbox.send),
  });
  const end = async () => {
    const done = { done: true, value: undefined } as const;
    stop();
    outbox.discard(id);
    ended.resolve(done);
    return done;
  };
  ended.promise.catch(end);
  return {
    next: () => ended.promise,
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

/** graphql-js copies message and extensions of the original error. */
class LiveQueryFailed extends Error {
  readonly extensions: HasuraError['extensions'] | undefined;

  constructor([first]: HasuraError[]) {
    super(first?.message);
    this.name = 'LiveQueryFailed';
    this.extensions = first?.extensions;
  }
}
