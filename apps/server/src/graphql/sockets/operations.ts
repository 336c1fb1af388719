import { isStream } from '../execute-stream.ts';
import type { Executor } from '../executor.ts';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { HasuraError } from '../hasura-error.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import { liveQuestion, streamQuestion } from '../live/live-query.ts';
import { type LiveAnswer, liveAnswer } from '../live/live-result.ts';
import type { Operation, OperationRequest } from '../operation.ts';
import type { GraphqlCaller } from '../resolve-caller.ts';

/** How answers that keep coming reach a reader. */
export type Delivery = {
  /** Those that the next one replaces. */
  newest(answer: LiveAnswer): void;
  /** Those of which none may be left out. Resolves when it has left. */
  each(answer: LiveAnswer): Promise<void>;
};

/** An operation that was asked for over a socket, as far as it is known before it runs. */
export type Begun =
  | { kind: 'refused'; errors: HasuraError[] }
  | { kind: 'once'; operation: Operation; run: () => Promise<LiveAnswer> }
  | { kind: 'live'; operation: Operation; follow: (delivery: Delivery) => () => void };

export type Operations = {
  /** `running`: how many the socket has already. */
  begin(request: OperationRequest, caller: GraphqlCaller, running: number): Begun;
};

export type OperationsDeps = { executor: Executor; live: LiveQueries };

/** Nobody watches more on one connection. */
const MAX_RUNNING = 100;

/** What both dialects do with a request: queries and mutations answer once, subscriptions until they are stopped. */
export function createOperations({ executor, live }: OperationsDeps): Operations {
  return {
    begin(request, caller, running) {
      try {
        if (running >= MAX_RUNNING) throw tooManyRunning();
        const operation = executor.parse(request, caller);
        const asked = { request, operation, caller };
        if (operation.definition.operation !== 'subscription') {
          const run = async () => liveAnswer(await executor.answer(operation, caller));
          return { kind: 'once', operation, run };
        }
        const follow = isStream(operation)
          ? ({ each }: Delivery) => live.stream(streamQuestion(asked, executor), each)
          : ({ newest }: Delivery) => live.watch(liveQuestion(asked, executor), newest);
        return { kind: 'live', operation, follow };
      } catch (error) {
        return { kind: 'refused', ...executor.errors(error) };
      }
    },
  };
}

function tooManyRunning(): GraphqlProblem {
  return new GraphqlProblem(
    'validation-failed',
    `at most ${MAX_RUNNING} operations may run on one connection`,
  );
}
