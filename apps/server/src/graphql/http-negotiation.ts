import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Problem } from '../http/problem.ts';
import type { GraphqlCode } from './graphql-problem.ts';
import type { HasuraErrors } from './hasura-error.ts';

/** What Hasura's clients expect: the status is always 200. */
export const JSON_TYPE = 'application/json';
/** The type of the GraphQL over HTTP specification, where errors have their own status. Clients ask for it. */
const GRAPHQL_TYPE = 'application/graphql-response+json';

export type ResponseType = typeof JSON_TYPE | typeof GRAPHQL_TYPE;

/** Only clients that name the newer type, and do not prefer the older one, get it (decision 60). */
export function responseTypeOf(context: Context): ResponseType {
  return accepts(context, {
    header: 'Accept',
    supports: [JSON_TYPE, GRAPHQL_TYPE],
    default: JSON_TYPE,
  }) as ResponseType;
}

const STATUSES: Record<GraphqlCode, ContentfulStatusCode> = {
  'validation-failed': 400,
  'permission-error': 403,
  'constraint-violation': 400,
  'data-exception': 400,
  'postgres-error': 500,
  conflict: 409,
  'not-found': 400,
  'not-supported': 400,
  'invalid-json': 400,
  'parse-failed': 400,
  'invalid-jwt': 401,
  'invalid-headers': 401,
  'access-denied': 403,
  'unexpected-payload': 400,
  'start-failed': 400,
  unexpected: 500,
};

/** A response has either data or errors, so every response with errors is a failure. */
export function statusOf(
  { errors = [] }: Partial<HasuraErrors>,
  type: ResponseType,
): ContentfulStatusCode {
  const [error] = errors;
  return error === undefined || type === JSON_TYPE ? 200 : STATUSES[error.extensions.code];
}

/** Browsers send other types without asking the server first, all GraphQL clients send this one. */
export function requireJson(context: Context): void {
  const [type = ''] = (context.req.header('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() === JSON_TYPE) return;
  const message = `Send GraphQL requests with the header Content-Type: ${JSON_TYPE}`;
  throw new Problem(415, 'unsupported-media-type', message);
}
