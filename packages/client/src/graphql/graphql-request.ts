import type { Auth } from '../auth/auth.ts';
import type { Clock, Fetch } from '../ports.ts';
import { withDeadline } from '../timing/deadline.ts';
import type { Graphql, Variables } from './graphql.ts';
import { bearerOrPublic } from './request-headers.ts';
import {
  abortError,
  networkFailure,
  type RequestResult,
  readGraphqlBody,
} from './request-result.ts';

const ANSWER_TIMEOUT_MS = 30_000;

export type GraphqlRequestDeps = {
  url: string;
  clock: Clock;
  fetch: Fetch;
  auth: Pick<Auth, 'state' | 'accessToken' | 'refresh'>;
};

/** GraphQL over HTTP. Answers, never throws. Spec §7 and §8. */
export function createGraphqlRequest(deps: GraphqlRequestDeps): Graphql['request'] {
  const { url, clock, fetch, auth } = deps;

  async function send(call: Call, token: string | undefined): Promise<RequestResult<unknown>> {
    const { document, variables, signal } = call;
    // Spec §8: an expired session that cannot be renewed now is an outage, not a visitor of role public.
    if (token === undefined && auth.state().kind === 'signed-in') return networkFailure();
    try {
      return await withDeadline(
        { clock, timeoutMs: ANSWER_TIMEOUT_MS, ...(signal ? { signal } : {}) },
        async (signal) => {
          const response = await fetch(url, {
            method: 'POST',
            headers: {
              accept: '*/*',
              'content-type': 'application/json',
              ...bearerOrPublic(token),
            },
            body: JSON.stringify({
              operationName: operationName(document),
              query: document,
              variables,
            }),
            signal,
          });
          return readGraphqlBody(await response.text(), response);
        },
      );
    } catch {
      return signal?.aborted ? abortError() : networkFailure();
    }
  }

  async function request(
    document: string,
    variables?: Variables,
    options: { signal?: AbortSignal } = {},
  ) {
    const call = { document, variables, signal: options.signal };
    const result = await send(call, await auth.accessToken());
    // The server refused the token before it did anything, so the call may be made again.
    return isTokenRefused(result) ? send(call, await auth.refresh()) : result;
  }

  return request as Graphql['request'];
}

/** Spec §7: the name of the operation is sent; an unnamed one has none. */
function operationName(document: string): string | undefined {
  return /^\s*(?:query|mutation|subscription)\s+(\w+)/.exec(document)?.[1];
}

type Call = {
  document: string;
  variables: Variables | undefined;
  signal: AbortSignal | undefined;
};

function isTokenRefused(result: RequestResult<unknown>): boolean {
  return !result.ok && result.error.error === 'invalid-jwt';
}
