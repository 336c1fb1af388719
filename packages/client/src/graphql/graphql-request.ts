import type { Auth } from '../auth/auth.ts';
import { bearerOrPublicRole } from '../http/caller-headers.ts';
import { withDeadline } from '../http/deadline.ts';
import {
  abortError,
  networkFailure,
  type RequestResult,
  readGraphqlBody,
} from '../http/request-result.ts';
import type { Clock, Fetch } from '../ports.ts';
import type { Graphql, Variables } from './graphql.ts';

const RESPONSE_TIMEOUT_MS = 30_000;

export type GraphqlRequestDeps = {
  url: string;
  clock: Clock;
  fetch: Fetch;
  auth: Pick<Auth, 'state' | 'accessToken' | 'refresh'>;
};

/** GraphQL over HTTP (spec-map 7.4.2). Failures are returned, never thrown. */
export function createGraphqlRequest(deps: GraphqlRequestDeps): Graphql['request'] {
  const { url, clock, fetch, auth } = deps;

  async function send(call: Call, token: string | undefined): Promise<RequestResult<unknown>> {
    const { document, variables, signal } = call;
    // If an expired session cannot be refreshed now, the network is down: the request must not run with role public.
    if (token === undefined && auth.state().kind === 'signed-in') return networkFailure();
    try {
      return await withDeadline(
        { clock, timeoutMs: RESPONSE_TIMEOUT_MS, ...(signal ? { signal } : {}) },
        async (signal) => {
          const response = await fetch(url, {
            method: 'POST',
            headers: {
              accept: '*/*',
              'content-type': 'application/json',
              ...bearerOrPublicRole(token),
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
    // The server checks the token before it does anything else, so the request can be repeated.
    return isTokenRejected(result) ? send(call, await auth.refresh()) : result;
  }

  return request as Graphql['request'];
}

/** Undefined for an unnamed operation. */
function operationName(document: string): string | undefined {
  return /^\s*(?:query|mutation|subscription)\s+(\w+)/.exec(document)?.[1];
}

type Call = {
  document: string;
  variables: Variables | undefined;
  signal: AbortSignal | undefined;
};

function isTokenRejected(result: RequestResult<unknown>): boolean {
  return !result.ok && result.error.error === 'invalid-jwt';
}
