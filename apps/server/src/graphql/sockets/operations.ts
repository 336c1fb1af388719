import type { GraphqlCaller } from '../caller.ts';
import type { Executor, GraphqlAnswer } from '../executor.ts';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { HasuraError } from '../hasura-error.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import { liveQuestion } from '../live/live-question.ts';
import type { LiveReader } from '../live/shared-query.ts';
import type { Operation, OperationRequest } from '../operation.ts';

/** An operation that was asked for over a socket, as far as it is known before it runs. */
export type Begun =
  | { kind: 'refused'; errors: HasuraError[] }
  | { kind: 'once'; operation: Operation; run: () => Promise<GraphqlAnswer> }
  | { kind: 'live'; operation: Operation; subscribe: (reader: LiveReader) => () => void };

export type Operations = {
  /** `running`: how many the socket has already. */
  begin(request: OperationRequest, caller: GraphqlCaller, running: number): Begun;
};

export type OperationsDeps = { executor: Executor; live: LiveQueries };

/** Nobody watches more on one connection. */
const MAX_RUNNING = 100;

/** What both dialects do with a request: queries and mutations answer once, subscriptions are live queries. */
export function createOperations({ executor, live }: OperationsDeps): Operations {
  return {
    begin(request, caller, running) {
      try {
        if (running >= MAX_RUNNING) throw tooManyRunning();
        const operation = executor.parse(request, caller);
        if (operation.definition.operation !== 'subscription') {
          return { kind: 'once', operation, run: () => executor.run(operation, caller) };
        }
        const question = liveQuestion({ request, operation, caller }, executor.run);
        const subscribe = (reader: LiveReader) => live.subscribe(question, reader);
        return { kind: 'live', operation, subscribe };
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
