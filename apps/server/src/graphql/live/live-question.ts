import type { GraphqlCaller } from '../caller.ts';
import type { Executor } from '../executor.ts';
import type { Operation, OperationRequest } from '../operation.ts';
import type { LiveQuestion } from './live-queries.ts';
import { tablesRead } from './tables-read.ts';

export type Asked = { request: OperationRequest; operation: Operation; caller: GraphqlCaller };

/** What somebody wants to be kept informed of. */
export function liveQuestion(
  { request, operation, caller }: Asked,
  run: Executor['run'],
): LiveQuestion {
  const { query, variables, operationName } = request;
  return {
    key: JSON.stringify([scopeOf(caller), query, variables, operationName]),
    owner: caller.role === 'user' ? caller.userId : undefined,
    tables: tablesRead(operation.document),
    ask: () => run(operation, caller),
  };
}

/** All of a caller that decides what it sees; two sessions of one user see the same. */
function scopeOf(caller: GraphqlCaller): unknown {
  return caller.role === 'user' ? [caller.role, caller.userId] : caller;
}
