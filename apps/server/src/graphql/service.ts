import { isRecord } from '@longshore/contract';
import { type Context, Hono } from 'hono';
import { withDeadline } from '../concurrency/with-deadline.ts';
import { Problem } from '../http/problem.ts';
import { type Executor, MAX_RESULT_BYTES } from './executor.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import { JSON_TYPE, requireJson, responseTypeOf, statusOf } from './http-negotiation.ts';
import { liveResult } from './live/live-result.ts';
import type { OperationRequest } from './operation.ts';
import type { GraphqlCaller, ResolveGraphqlCaller } from './resolve-caller.ts';

export type GraphqlServiceDeps = { executor: Executor; resolveCaller: ResolveGraphqlCaller };

const MAX_BATCH = 20;
/** For all operations of a batch together. */
const REQUEST_MS = 20_000;

type GraphqlResponse = { kind: 'single' | 'batch'; text: string };

/** POST /v1/graphql. GraphQL errors have the status 200 too, as Hasura's clients expect. */
export function createGraphqlService({ executor, resolveCaller }: GraphqlServiceDeps): Hono {
  return new Hono()
    .post('/', async (context) => {
      requireJson(context);
      const { kind, text } = await respond(context);
      const mediaType = kind === 'batch' ? JSON_TYPE : responseTypeOf(context);
      return context.body(text, statusOf(liveResult(text), mediaType), {
        'content-type': `${mediaType}; charset=utf-8`,
      });
    })
    .all('/', () => {
      throw new Problem(405, 'method-not-allowed', 'Use POST for GraphQL requests');
    });

  async function respond(context: Context): Promise<GraphqlResponse> {
    try {
      const caller = await resolveCaller((name) => context.req.header(name));
      const body = requestsOf(await context.req.text());
      return await withDeadline(context.req.raw.signal, REQUEST_MS, (signal) =>
        run(body, caller, signal),
      );
    } catch (error) {
      return { kind: 'single', text: JSON.stringify(executor.errorsOf(error)) };
    }
  }

  async function run(
    body: OperationRequest | OperationRequest[],
    caller: GraphqlCaller,
    signal: AbortSignal,
  ): Promise<GraphqlResponse> {
    if (Array.isArray(body)) return { kind: 'batch', text: await batchText(body, caller, signal) };
    const limits = { signal, maxBytes: MAX_RESULT_BYTES };
    return { kind: 'single', text: await execute(body, caller, limits) };
  }

  /** Runs one request after the other. Together their results may be as large as a single one. */
  async function batchText(
    requests: OperationRequest[],
    caller: GraphqlCaller,
    signal: AbortSignal,
  ): Promise<string> {
    const responses: string[] = [];
    let maxBytes = MAX_RESULT_BYTES;
    for (const request of requests) {
      const response = await execute(request, caller, { signal, maxBytes });
      responses.push(response);
      maxBytes = Math.max(0, maxBytes - response.length);
    }
    return `[${responses.join(',')}]`;
  }

  async function execute(
    request: OperationRequest,
    caller: GraphqlCaller,
    limits: { signal: AbortSignal; maxBytes: number },
  ): Promise<string> {
    try {
      const operation = executor.parse(request, caller);
      if (operation.definition.operation === 'subscription') throw subscriptionOverHttp();
      return await executor.execute(operation, caller, limits);
    } catch (error) {
      return JSON.stringify(executor.errorsOf(error));
    }
  }
}

/** One request, or a batch of them. */
function requestsOf(text: string): OperationRequest | OperationRequest[] {
  const body = parseJson(text);
  if (isRecord(body)) return body;
  if (!Array.isArray(body) || !body.every(isRecord)) {
    throw new GraphqlProblem('parse-failed', 'expected a request or a list of requests');
  }
  if (body.length > MAX_BATCH) {
    const message = `at most ${MAX_BATCH} requests may be sent at once`;
    throw new GraphqlProblem('validation-failed', message);
  }
  return body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GraphqlProblem('invalid-json', 'the body is not valid JSON', '$', { cause });
  }
}

function subscriptionOverHttp(): GraphqlProblem {
  return new GraphqlProblem(
    'unexpected-payload',
    'subscriptions are not supported over HTTP, use websockets instead',
  );
}
