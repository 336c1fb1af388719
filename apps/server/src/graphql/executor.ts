import type pg from 'pg';
import type { AppRules } from '../apps/check-app-values.ts';
import type { Variables } from '../apps/variables.ts';
import { createKeyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import type { Database } from '../db/database.ts';
import { createWithConnection } from '../db/with-connection.ts';
import { executeMutation } from './execute-mutation.ts';
import { executeStream, isStream, type StreamBatch } from './execute-stream.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import { type HasuraErrors, hasuraErrors } from './hasura-error.ts';
import { introspectionJson } from './introspection.ts';
import { createParser, type Operation, type OperationRequest } from './operation.ts';
import type { GraphqlCaller } from './resolve-caller.ts';
import { type JsonStatement, jsonStatement, jsonTexts } from './run-statement.ts';
import { createSchemas } from './schema/create-schemas.ts';
import { rootFieldJson } from './sql/root-field.ts';
import type { Scope } from './sql/scope.ts';
import { createStatement, lateValues } from './sql/statement.ts';
import type { StreamCursor } from './sql/stream-sql.ts';
import { TABLES } from './tables/tables.ts';
import { unsealTexts } from './unseal-texts.ts';

/** The signal cancels the execution; a result of more than `maxBytes` becomes an error. */
export type ExecutionLimits = { signal?: AbortSignal; maxBytes?: number };

export type Executor = {
  /** Throws what is wrong with the request itself. */
  parse(request: OperationRequest, caller: GraphqlCaller): Operation;
  /** The response as JSON text, with either data or errors, never both. Never rejects. */
  execute(operation: Operation, caller: GraphqlCaller, limits?: ExecutionLimits): Promise<string>;
  /** The rows of a stream after the cursor. */
  executeStream(
    operation: Operation,
    caller: GraphqlCaller,
    after: StreamCursor | undefined,
    limits?: ExecutionLimits,
  ): Promise<StreamBatch>;
  errorsOf(error: unknown): HasuraErrors;
};

export type ExecutorDeps = {
  pool: pg.Pool;
  rules: AppRules;
  /** Looks the session of a caller up in the database. */
  isSignedIn: (session: { userId: string; sessionId: string | undefined }) => Promise<boolean>;
  logError: (error: unknown) => void;
};

/** A result is held in memory as a whole. */
export const MAX_RESULT_BYTES = 16_000_000;
/** So that one caller cannot take every connection of the pool. */
const MAX_RUNNING_PER_CALLER = 4;
/** A short document may become a long statement. */
const MAX_KEPT_LENGTH = 10_000;
const NEVER = new AbortController().signal;

export function createExecutor({ pool, rules, isSignedIn, logError }: ExecutorDeps): Executor {
  const schemas = createSchemas(TABLES);
  const { variables } = rules;
  const parse = createParser();
  const withConnection = createWithConnection(pool);
  const perCaller = createKeyedSemaphore(MAX_RUNNING_PER_CALLER);
  const queries = new WeakMap<Operation, ReadQuery>();
  const errorsOf = (error: unknown) => hasuraErrors(error, logError);
  return {
    errorsOf,
    parse: (request, caller) => parse(request, schemas[caller.role]),
    execute,
    executeStream: (operation, caller, after, limits = {}) => {
      const { signal = NEVER, maxBytes = MAX_RESULT_BYTES } = limits;
      return withScope(requireScope(caller), signal, (scope, db) =>
        executeStream(operation, { scope, db, variables, after, maxBytes }),
      );
    },
  };

  async function execute(
    operation: Operation,
    caller: GraphqlCaller,
    limits: ExecutionLimits = {},
  ): Promise<string> {
    try {
      const texts = await tableTexts(operation, caller, limits);
      const fields = operation.roots.map((field) => {
        const schema = schemas[caller.role];
        const text = introspectionJson(field, operation, schema) ?? texts.get(field.key);
        return `${JSON.stringify(field.key)}:${text}`;
      });
      return `{"data":{${fields.join(',')}}}`;
    } catch (error) {
      return JSON.stringify(errorsOf(error));
    }
  }

  /** The JSON text of each root field that uses tables. */
  async function tableTexts(
    operation: Operation,
    caller: GraphqlCaller,
    { signal = NEVER, maxBytes = MAX_RESULT_BYTES }: ExecutionLimits,
  ): Promise<Map<string, string>> {
    const usesTables = operation.roots.some(({ name }) => !name.startsWith('__'));
    if (caller.role === 'public' || !usesTables) return new Map();
    if (isStream(operation)) {
      throw new GraphqlProblem('not-supported', 'a stream is executed batch by batch');
    }
    const isMutation = operation.definition.operation === 'mutation';
    if (isMutation && !(await mayChange(caller)))
      throw new GraphqlProblem('invalid-jwt', 'Could not verify JWT: the session has ended');
    return await withScope(caller, signal, (scope, db) =>
      isMutation
        ? executeMutation(operation, { scope, db, maxBytes, rules })
        : executeQuery(queryOf(operation, scope), { scope, db, variables, maxBytes }),
    );
  }

  /** Built once: the same operation runs again for a live query, and without variables for all requests. */
  function queryOf(operation: Operation, scope: Scope): ReadQuery {
    const built = queries.get(operation);
    if (built !== undefined) return built;
    const query = buildQuery(operation, scope);
    if (query.statement.compiled.text.length <= MAX_KEPT_LENGTH) queries.set(operation, query);
    return query;
  }

  /** Nothing is changed for a session that has just ended. Callers with the admin secret have none. */
  async function mayChange(caller: GraphqlCaller): Promise<boolean> {
    return caller.role !== 'user' || caller.sessionId === undefined || (await isSignedIn(caller));
  }

  async function withScope<Result>(
    scope: Scope,
    signal: AbortSignal,
    work: (scope: Scope, db: Database) => Promise<Result>,
  ): Promise<Result> {
    const key = scope.role === 'user' ? scope.userId : scope.role;
    const runWork = () => withConnection(signal, (db) => work(scope, db));
    return await perCaller.run(key, runWork, signal);
  }
}

/** What a query reads. An operation belongs to the schema of one role, so that all its callers have the same. */
type ReadQuery = { statement: JsonStatement; keys: string[]; usesMark: boolean };

/** All root fields are read by one statement. */
function buildQuery({ roots, selection }: Operation, scope: Scope): ReadQuery {
  const statement = createStatement(scope, selection);
  const fields = roots.filter(({ name }) => !name.startsWith('__'));
  const expressions = fields.map((field) => rootFieldJson(field, statement));
  return {
    statement: jsonStatement(expressions),
    keys: fields.map(({ key }) => key),
    usesMark: statement.usesMark(),
  };
}

type QueryDeps = { scope: Scope; db: Database; variables: Variables; maxBytes: number };

async function executeQuery(
  { statement, keys, usesMark }: ReadQuery,
  { scope, db, variables, maxBytes }: QueryDeps,
): Promise<Map<string, string>> {
  const values = lateValues(scope, maxBytes);
  const stored = await jsonTexts(statement, db, values);
  const mark = usesMark ? values.mark : undefined;
  const texts = await unsealTexts(stored, { mark, db, variables, maxBytes });
  return new Map(keys.map((key, at) => [key, texts[at] ?? 'null']));
}

/** The schema of `public` has no streams, so that none of its requests gets here. */
function requireScope(caller: GraphqlCaller): Scope {
  if (caller.role !== 'public') return caller;
  throw new Error('There is no stream without a role');
}
