/** The codes of Hasura's `extensions.code` that we answer with. Wire §5.2. */
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
  | 'unexpected';

/** A refusal in Hasura's shape. */
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
