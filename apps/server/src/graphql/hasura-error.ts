import { GraphQLError } from 'graphql';
import { databaseProblem } from './database-problem.ts';
import { GraphqlProblem } from './graphql-problem.ts';

export type HasuraError = { message: string; extensions: { code: string; path: string } };
export type HasuraErrors = { errors: HasuraError[] };

/** One place turns every error into Hasura's answer. What was not foreseen is logged and says nothing. */
export function hasuraErrors(error: unknown, logError: (error: unknown) => void): HasuraErrors {
  return { errors: [hasuraError(error, logError)] };
}

function hasuraError(error: unknown, logError: (error: unknown) => void): HasuraError {
  const problem = error instanceof GraphqlProblem ? error : databaseProblem(error);
  if (problem !== undefined) return answer(problem.code, problem.message, problem.path);
  // What graphql-js says of a value that does not fit its type.
  if (error instanceof GraphQLError) return answer('validation-failed', error.message, '$');
  if (isCalledOff(error)) return answer('unexpected', 'the request took too long', '$');
  logError(error);
  return answer('unexpected', 'internal error', '$');
}

function isCalledOff(error: unknown): boolean {
  return error instanceof DOMException && ['AbortError', 'TimeoutError'].includes(error.name);
}

function answer(code: string, message: string, path: string): HasuraError {
  return { message, extensions: { path, code } };
}
