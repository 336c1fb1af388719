import { GraphqlProblem } from './graphql-problem.ts';

/** Hasura's prefixes of Postgres' messages. */
const VIOLATIONS: Record<string, string> = {
  '23502': 'Not-NULL violation. ',
  '23503': 'Foreign key violation. ',
  '23505': 'Uniqueness violation. ',
  '23514': 'Check constraint violation. ',
};

/** Limits and conflicts that are neither a mistake in the request nor a fault of the server. */
const LIMITS_AND_CONFLICTS: Record<string, string> = {
  '57014': 'the query took too long',
  '54000': 'the result is too large',
  '54001': 'the query is too complex',
  '40001': 'the same rows were changed at the same time, try again',
  '40P01': 'the same rows were changed at the same time, try again',
};

/** Translates a database error for the client. Undefined: it is unexpected. */
export function databaseProblem(error: unknown, path = '$'): GraphqlProblem | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const code = String(error.code);
  const options = { cause: error };
  const violation = VIOLATIONS[code];
  if (violation !== undefined) {
    return new GraphqlProblem('constraint-violation', violation + error.message, path, options);
  }
  const message = LIMITS_AND_CONFLICTS[code];
  if (message !== undefined) return new GraphqlProblem('postgres-error', message, '$', options);
  // Class 22: invalid values in the request. Hasura returns Postgres' message.
  if (/^22...$/.test(code))
    return new GraphqlProblem('data-exception', error.message, path, options);
  return undefined;
}
