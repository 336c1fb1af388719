import type pg from 'pg';
import type { AppRules } from '../apps/check-app-values.ts';
import { createKeyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import type { Database } from '../db/database.ts';
import { withConnection } from '../db/with-connection.ts';
import { answerQuery } from './answer-query.ts';
import { answerMutation } from './execute-mutation.ts';
import { answerStream, type Batch, isStream } from './execute-stream.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import { type HasuraErrors, hasuraErrors } from './hasura-error.ts';
import { schemaJson } from './introspection.ts';
import { createParser, type Operation, type OperationRequest } from './operation.ts';
import type { GraphqlCaller } from './resolve-caller.ts';
import { createSchemas } from './schema/create-schemas.ts';
import type { Scope } from './sql/scope.ts';
import type { StreamCursor } from './sql/stream-sql.ts';
import { TABLES } from './tables/tables.ts';

export type GraphqlAnswer = { data: unknown } | HasuraErrors;

/** The signal calls it off; more than `maxBytes` are not answered. */
export type AnswerLimits = { signal?: AbortSignal; maxBytes?: number };

export type Executor = {
  /** Throws what is wrong with the request itself. */
  parse(request: OperationRequest, caller: GraphqlCaller): Operation;
  /** The answer as JSON text. Never rejects, and never answers half a result: data or errors. */
  answer(operation: Operation, caller: GraphqlCaller, limits?: AnswerLimits): Promise<string>;
  /** The same, as a value. */
  run(operation: Operation, caller: GraphqlCaller, limits?: AnswerLimits): Promise<GraphqlAnswer>;
  /** The rows of a stream behind the cursor. Throws why not. */
  batch(
    operation: Operation,
    caller: GraphqlCaller,
    after: StreamCursor | undefined,
    limits?: AnswerLimits,
  ): Promise<Batch>;
  errors(error: unknown): HasuraErrors;
};

export type ExecutorDeps = { pool: pg.Pool; rules: AppRules; logError: (error: unknown) => void };

/** An answer is held in memory as a whole. */
export const MAX_ANSWER_BYTES = 16_000_000;
/** So that one caller cannot take every connection of the pool. */
const MAX_RUNNING_PER_CALLER = 4;
const NEVER = new AbortController().signal;

export function createExecutor({ pool, rules, logError }: ExecutorDeps): Executor {
  const schemas = createSchemas(TABLES);
  const parse = createParser();
  const perCaller = createKeyedSemaphore(MAX_RUNNING_PER_CALLER);
  const errors = (error: unknown) => hasuraErrors(error, logError);
  return {
    errors,
    parse: (request, caller) => parse(request, schemas[caller.role]),
    answer,
    run: async (...call) => JSON.parse(await answer(...call)),
    batch: (operation, caller, after, { signal = NEVER, maxBytes = MAX_ANSWER_BYTES } = {}) =>
      connected(requireScope(caller), signal, (scope, db) =>
        answerStream(operation, { scope, db, after, maxBytes }),
      ),
  };

  async function answer(
    operation: Operation,
    caller: GraphqlCaller,
    limits: AnswerLimits = {},
  ): Promise<string> {
    try {
      const texts = await tableTexts(operation, caller, limits);
      const fields = operation.roots.map((field) => {
        const text = schemaJson(field, operation, schemas[caller.role]) ?? texts.get(field.key);
        return `${JSON.stringify(field.key)}:${text}`;
      });
      return `{"data":{${fields.join(',')}}}`;
    } catch (error) {
      return JSON.stringify(errors(error));
    }
  }

  async function tableTexts(
    operation: Operation,
    caller: GraphqlCaller,
    { signal = NEVER, maxBytes = MAX_ANSWER_BYTES }: AnswerLimits,
  ): Promise<Map<string, string>> {
    const readsTables = operation.roots.some(({ name }) => !name.startsWith('__'));
    if (caller.role === 'public' || !readsTables) return new Map();
    if (isStream(operation)) {
      throw new GraphqlProblem('not-supported', 'a stream is answered batch by batch');
    }
    return await connected(caller, signal, (scope, db) =>
      operation.definition.operation === 'mutation'
        ? answerMutation(operation, { scope, db, maxBytes, rules })
        : answerQuery(operation, { scope, db, maxBytes }),
    );
  }

  async function connected<Result>(
    scope: Scope,
    signal: AbortSignal,
    work: (scope: Scope, db: Database) => Promise<Result>,
  ): Promise<Result> {
    const key = scope.role === 'user' ? scope.userId : scope.role;
    const runWork = () => withConnection(pool, signal, (db) => work(scope, db));
    return await perCaller.run(key, runWork, signal);
  }
}

/** `public` has no streams in its schema, so that none of its requests gets here. */
function requireScope(caller: GraphqlCaller): Scope {
  if (caller.role !== 'public') return caller;
  throw new Error('There is no stream without a role');
}
