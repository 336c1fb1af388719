import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import type { CallerOf, GraphqlCaller } from './caller.ts';
import type { Executor, GraphqlAnswer } from './executor.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import type { OperationRequest } from './operation.ts';

export type GraphqlServiceDeps = { executor: Executor; callerOf: CallerOf };

const Request = z.looseObject({});
const Body = z.union([Request, z.array(Request).max(20)]);

/** POST /v1/graphql. Every outcome of GraphQL answers 200, as the public clients expect of Hasura. */
export function createGraphqlService(deps: GraphqlServiceDeps): Hono {
  return new Hono().post('/', async (context) => {
    const body = await jsonBody(context, Body);
    const answers = await answersTo(context, Array.isArray(body) ? body : [body], deps);
    return context.json(Array.isArray(body) ? answers : answers[0]);
  });
}

async function answersTo(
  context: Context,
  requests: OperationRequest[],
  { executor, callerOf }: GraphqlServiceDeps,
): Promise<GraphqlAnswer[]> {
  try {
    const caller = await callerOf((name) => context.req.header(name));
    const answers: GraphqlAnswer[] = [];
    for (const request of requests) answers.push(await answerTo(request, caller, executor));
    return answers;
  } catch (error) {
    return requests.map(() => executor.errors(error));
  }
}

async function answerTo(
  request: OperationRequest,
  caller: GraphqlCaller,
  executor: Executor,
): Promise<GraphqlAnswer> {
  try {
    const operation = executor.parse(request, caller);
    if (operation.definition.operation === 'subscription') {
      throw new GraphqlProblem(
        'unexpected-payload',
        'subscriptions are not supported over HTTP, use websockets instead',
      );
    }
    return await executor.run(operation, caller);
  } catch (error) {
    return executor.errors(error);
  }
}
