import type { ExecutionResult } from 'graphql';
import type { HasuraError } from '../hasura-error.ts';
import type { LiveAnswer } from '../live/live-result.ts';
import type { Delivery } from './operations.ts';
import type { Outbox } from './outbox.ts';

export type LastingDeps = {
  id: string;
  outbox: Outbox;
  follow: (delivery: Delivery) => () => void;
};

/** An answer as the library would send it, but not written anew. */
export function nextFrame(id: string, answer: string): string {
  return `{"id":${JSON.stringify(id)},"type":"next","payload":${answer}}`;
}

/**
 * A live query in the form the library wants. It yields nothing: the answers go to the outbox by themselves, since
 * the library would write each of them anew for every reader. It ends when the library ends it, or throws the error
 * that the library then passes on.
 */
export function lastingAnswers({
  id,
  outbox,
  follow,
}: LastingDeps): AsyncGenerator<ExecutionResult, void, void> {
  const over = Promise.withResolvers<IteratorResult<ExecutionResult, void>>();
  const passOn = <Sent>({ text, errors }: LiveAnswer, send: (frame: string) => Sent) => {
    if (errors === undefined) return send(nextFrame(id, text));
    return over.reject(new LiveQueryFailed(errors));
  };
  const stop = follow({
    newest: (answer) => void passOn(answer, (frame) => outbox.show(id, frame)),
    each: async (answer) => await passOn(answer, outbox.send),
  });
  const end = async () => {
    const done = { done: true, value: undefined } as const;
    stop();
    outbox.withdraw(id);
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
