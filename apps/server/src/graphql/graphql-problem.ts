/** The values of Hasura's `extensions.code` that this server uses. */
export type GraphqlCode =
  | 'validation-failed'
  | 'permission-error'
  | 'constraint-violation'
  | 'data-exception'
  | 'postgres-error'
  | 'conflict'
  | 'not-found'
  | 'not-supported'
  | 'invalid-json'
  | 'parse-failed'
  | 'invalid-jwt'
  | 'invalid-headers'
  | 'access-denied'
  | 'unexpected-payload'
  | 'start-failed'
  | 'unexpected';

/** An error that becomes one of Hasura's error responses. */
export class GraphqlProblem extends Error {
  readonly code: GraphqlCode;
  readonly path: string;

  constructor(code: GraphqlCode, message: string, path = '$', options?: ErrorOptions) {
    super(message, options);
    this.name = 'GraphqlProblem';
    this.code = code;
    this.path = path;
  }
}
