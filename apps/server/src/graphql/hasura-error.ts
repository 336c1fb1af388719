import { GraphQLError } from 'graphql';
import { databaseProblem } from './database-problem.ts';
import { type GraphqlCode, GraphqlProblem } from './graphql-problem.ts';

export type HasuraError = { message: string; extensions: { code: GraphqlCode; path: string } };
export type HasuraErrors = { errors: HasuraError[] };

/** Turns every error into Hasura's error response. Unexpected errors are logged; the client gets no details. */
export function hasuraErrors(error: unknown, logError: (error: unknown) => void): HasuraErrors {
  return { errors: [hasuraError(error, logError)] };
}

function hasuraError(error: unknown, logError: (error: unknown) => void): HasuraError {
  const problem = error instanceof GraphqlProblem ? error : databaseProblem(error);
  if (problem !== undefined) return errorOf(problem.code, problem.message, problem.path);
  // graphql-js reports a value that does not match its type.
  if (error instanceof GraphQLError) return errorOf('validation-failed', error.message, '$');
  if (isAborted(error)) return errorOf('unexpected', 'the request took too long', '$');
  logError(error);
  return errorOf('unexpected', 'internal error', '$');
}

function isAborted(error: unknown): boolean {
  return error instanceof DOMException && ['AbortError', 'TimeoutError'].includes(error.name);
}

function errorOf(code: GraphqlCode, message: string, path: string): HasuraError {
  return { message, extensions: { path, code } };
}
