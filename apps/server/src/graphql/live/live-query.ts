import type { Executor } from '../executor.ts';
import type { Operation, OperationRequest } from '../operation.ts';
import type { GraphqlCaller } from '../resolve-caller.ts';
import type { StreamCursor } from '../sql/stream-sql.ts';
import type { LiveQuestion, StreamQuestion } from './live-queries.ts';
import type { Rows } from './row-changes.ts';
import { tablesRead } from './tables-read.ts';

export type Asked = { request: OperationRequest; operation: Operation; caller: GraphqlCaller };

/** What somebody wants to be kept informed of. */
export function liveQuestion(
  { request, operation, caller }: Asked,
  { answer }: Pick<Executor, 'answer'>,
): LiveQuestion {
  const { query, variables, operationName } = request;
  return {
    ...rowsOf(operation, caller),
    key: JSON.stringify([scopeOf(caller), query, variables, operationName]),
    ask: () => answer(operation, caller),
  };
}

/** The same for rows that are sent one by one. */
export function streamQuestion(
  { operation, caller }: Asked,
  { batch, errors }: Pick<Executor, 'batch' | 'errors'>,
): StreamQuestion<StreamCursor> {
  return {
    ...rowsOf(operation, caller),
    async batch(after) {
      try {
        const { data, next } = await batch(operation, caller, after);
        return { text: JSON.stringify({ data }), next: next ?? undefined };
      } catch (error) {
        return errors(error);
      }
    },
  };
}

function rowsOf({ document }: Operation, caller: GraphqlCaller): Rows {
  return {
    owner: caller.role === 'user' ? caller.userId : undefined,
    tables: tablesRead(document),
  };
}

/** All of a caller that decides what it sees; two sessions of one user see the same. */
function scopeOf(caller: GraphqlCaller): unknown {
  return caller.role === 'user' ? [caller.role, caller.userId] : [caller.role];
}
