import { isStream } from '../execute-stream.ts';
import type { Executor } from '../executor.ts';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { HasuraError } from '../hasura-error.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import { liveQueryOf, streamQueryOf } from '../live/live-query.ts';
import { type LiveResult, liveResult } from '../live/live-result.ts';
import type { Operation, OperationRequest } from '../operation.ts';
import type { GraphqlCaller } from '../resolve-caller.ts';

/** Receives the results of a subscription. */
export type ResultSink = {
  /** For live queries: a newer result replaces one that is not sent yet. */
  latest(result: LiveResult): void;
  /** For streams: every result is sent. Resolves when the network has taken it. */
  every(result: LiveResult): Promise<void>;
};

/** An operation that a client requested over a socket. */
export type StartedOperation =
  | { kind: 'refused'; errors: HasuraError[] }
  | { kind: 'once'; operation: Operation; run: () => Promise<LiveResult> }
  | { kind: 'live'; operation: Operation; follow: (sink: ResultSink) => () => void };

export type Operations = {
  /** `running`: the number of operations that the socket has already. */
  start(request: OperationRequest, caller: GraphqlCaller, running: number): StartedOperation;
};

export type OperationsDeps = { executor: Executor; live: LiveQueries };

const MAX_RUNNING_PER_SOCKET = 100;

/** Starts operations for both subprotocols: queries and mutations have one result, subscriptions many. */
export function createOperations({ executor, live }: OperationsDeps): Operations {
  return {
    start(request, caller, running) {
      try {
        if (running >= MAX_RUNNING_PER_SOCKET) throw tooManyRunning();
        const operation = executor.parse(request, caller);
        const subscription = { request, operation, caller };
        if (operation.definition.operation !== 'subscription') {
          const run = async () => liveResult(await executor.execute(operation, caller));
          return { kind: 'once', operation, run };
        }
        const follow = isStream(operation)
          ? ({ every }: ResultSink) => live.stream(streamQueryOf(subscription, executor), every)
          : ({ latest }: ResultSink) => live.watch(liveQueryOf(subscription, executor), latest);
        return { kind: 'live', operation, follow };
      } catch (error) {
        return { kind: 'refused', ...executor.errorsOf(error) };
      }
    },
  };
}

function tooManyRunning(): GraphqlProblem {
  return new GraphqlProblem(
    'validation-failed',
    `at most ${MAX_RUNNING_PER_SOCKET} operations may run on one connection`,
  );
}
