import { isRecord } from '@longshore/contract';
import { MAX_VALUE_DEPTH, tooDeepValue } from './document-limits.ts';
import { GraphqlProblem } from './graphql-problem.ts';

/** The variables of a request, as they came. */
export function givenVariables(variables: unknown): Record<string, unknown> {
  if (variables === undefined || variables === null) return {};
  if (!isRecord(variables)) {
    throw new GraphqlProblem('parse-failed', 'variables must be an object', '$.variables');
  }
  if (isDeeper(variables, MAX_VALUE_DEPTH)) throw tooDeepValue();
  return variables;
}

/** Level by level, because a value that is deep enough would overflow the stack of anything that descends. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  }
  return false;
}
