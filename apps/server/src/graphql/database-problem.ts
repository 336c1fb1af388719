import { GraphqlProblem } from './graphql-problem.ts';

/** What Hasura says before Postgres' own sentence. Wire §5.2. */
const VIOLATIONS: Record<string, string> = {
  '23502': 'Not-NULL violation. ',
  '23503': 'Foreign key violation. ',
  '23505': 'Uniqueness violation. ',
  '23514': 'Check constraint violation. ',
};

/** Not the user's mistake, but of what was asked for; nothing is wrong with the server. */
const TOO_MUCH: Record<string, string> = {
  '57014': 'the query took too long',
  '54000': 'the answer is too large',
  '54001': 'the query is too complex',
  '40001': 'somebody else changed the same rows, try again',
  '40P01': 'somebody else changed the same rows, try again',
};

/** What an error of the database means to who asked. Undefined: it was not foreseen. */
export function databaseProblem(error: unknown, path = '$'): GraphqlProblem | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const code = String(error.code);
  const options = { cause: error };
  const violation = VIOLATIONS[code];
  if (violation !== undefined) {
    return new GraphqlProblem('constraint-violation', violation + error.message, path, options);
  }
  const tooMuch = TOO_MUCH[code];
  if (tooMuch !== undefined) return new GraphqlProblem('postgres-error', tooMuch, '$', options);
  // Class 22 is about values the user gave; Hasura passes Postgres' own sentence on.
  if (/^22...$/.test(code))
    return new GraphqlProblem('data-exception', error.message, path, options);
  return undefined;
}
