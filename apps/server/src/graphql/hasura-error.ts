import { GraphQLError, Kind } from 'graphql';
import { GraphqlProblem } from './graphql-problem.ts';

export type HasuraError = { message: string; extensions: { code: string; path: string } };
export type HasuraErrors = { errors: HasuraError[] };

const UNKNOWN_FIELD = /^Cannot query field "([^"]+)" on type "([^"]+)"/;

/** One place turns every error into Hasura's answer. What was not foreseen is logged and says nothing. */
export function hasuraErrors(error: unknown, logError: (error: unknown) => void): HasuraErrors {
  const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  return { errors: [hasuraError(cause, logError)] };
}

function hasuraError(error: unknown, logError: (error: unknown) => void): HasuraError {
  if (error instanceof GraphqlProblem) return answer(error.code, error.message, error.path);
  if (error instanceof GraphQLError) return validationError(error);
  const databaseError = databaseProblem(error);
  if (databaseError !== undefined) return databaseError;
  logError(error);
  return answer('unexpected', 'internal error', '$');
}

function validationError(error: GraphQLError): HasuraError {
  const [, field, type] = UNKNOWN_FIELD.exec(error.message) ?? [];
  if (field === undefined) return answer('validation-failed', error.message, '$');
  const path = error.nodes?.some((node) => node.kind === Kind.FIELD)
    ? `$.selectionSet.${field}`
    : '$';
  return answer('validation-failed', `field '${field}' not found in type: '${type}'`, path);
}

/** Class 22 is about values the user gave; Postgres' own sentence is the one Hasura passes on. */
function databaseProblem(error: unknown): HasuraError | undefined {
  const isDataException =
    error instanceof Error && 'code' in error && String(error.code).startsWith('22');
  return isDataException ? answer('data-exception', error.message, '$') : undefined;
}

function answer(code: string, message: string, path: string): HasuraError {
  return { message, extensions: { path, code } };
}
