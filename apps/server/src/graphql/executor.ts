import { execute, type GraphQLSchema } from 'graphql';
import type { Database } from '../db/database.ts';
import type { GraphqlCaller } from './caller.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import { type HasuraErrors, hasuraErrors } from './hasura-error.ts';
import { type Operation, type OperationRequest, parseOperation } from './operation.ts';
import { ownResources } from './own-resources.ts';
import { createResolvers } from './resolvers.ts';
import { createSchemas, type Role } from './schema.ts';
import type { ValueRules } from './values-check.ts';

export type GraphqlAnswer = { data: unknown } | HasuraErrors;

export type Executor = {
  /** Throws what is wrong with the request itself. */
  parse(request: OperationRequest, caller: GraphqlCaller): Operation;
  /** Never rejects, and never answers half a result: data or errors. */
  run(operation: Operation, caller: GraphqlCaller): Promise<GraphqlAnswer>;
  errors(error: unknown): HasuraErrors;
};

type ExecutorDeps = { db: Database; rules: ValueRules; logError: (error: unknown) => void };

export function createExecutor({ db, rules, logError }: ExecutorDeps): Executor {
  const schemas: Record<Role, GraphQLSchema> = createSchemas();
  const errors = (error: unknown) => hasuraErrors(error, logError);
  return {
    errors,
    parse: (request, caller) => parseOperation(request, schemas[caller.role]),
    async run(operation, caller) {
      if (caller.role === 'public')
        return errors(new GraphqlProblem('validation-failed', 'no queries exist'));
      try {
        const { data, errors: problems } = await execute({
          schema: schemas[caller.role],
          document: operation.document,
          rootValue: createResolvers(ownResources(db, caller.userId, rules)),
          variableValues: operation.variables,
          operationName: operation.operationName,
        });
        return problems?.[0] === undefined ? { data } : errors(problems[0]);
      } catch (error) {
        return errors(error);
      }
    },
  };
}
