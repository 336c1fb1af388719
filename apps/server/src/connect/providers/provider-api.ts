import type { Clock } from '@longshore/edge-contract';
import type { z } from 'zod';
import { OutboundFailure, type OutboundFetch } from '../../outbound/outbound-fetch.ts';
import type { Secret } from '../../secrets/secret.ts';
import { ProviderFailure } from './provider-failure.ts';
import { responseFailure } from './response-failure.ts';

export type ApiDeps = { fetch: OutboundFetch; clock: Pick<Clock, 'now'> };

/** The URL of an API, and the headers of every request. */
export type ApiEndpoint = { url: string; headers: Record<string, string>; token: Secret };

export type Page = { body: unknown; headers: Headers };

/** The API of a provider for one account. Paths are relative to the API. Failures are thrown as `ProviderFailure`. */
export type ProviderApi = {
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  /** One page of a list, with the headers that link to the next page. */
  page(path: string): Promise<Page>;
  post<T>(path: string, body: unknown, schema: z.ZodType<T>): Promise<T>;
  /** Succeeds if the resource does not exist any more. */
  delete(path: string, body?: unknown): Promise<void>;
};

export function createProviderApi(
  { fetch, clock }: ApiDeps,
  endpoint: ApiEndpoint,
  signal: AbortSignal,
): ProviderApi {
  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(endpoint.url + path, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'longshore',
        ...endpoint.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    }).catch((error) => {
      throw signal.aborted ? abortFailure(signal) : requestFailure(error);
    });
    if (response.ok) return response;
    throw responseFailure(response, await response.text(), {
      now: clock.now(),
      token: endpoint.token,
    });
  }

  return {
    get: async (path, schema) => parse(await json(await send('GET', path)), schema),
    async page(path) {
      const response = await send('GET', path);
      return { body: await json(response), headers: response.headers };
    },
    post: async (path, body, schema) => parse(await json(await send('POST', path, body)), schema),
    async delete(path, body) {
      await send('DELETE', path, body).catch((error) => {
        if (!(error instanceof ProviderFailure && error.reason === 'not-found')) throw error;
      });
    },
  };
}

async function json(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (cause) {
    throw unexpectedResponse({ cause });
  }
}

function parse<T>(body: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw unexpectedResponse();
}

/** For example an HTML page: then the URL is not that of a provider. */
export function unexpectedResponse(options?: ErrorOptions): ProviderFailure {
  return new ProviderFailure('unreachable', {
    ...options,
    detail: 'Unexpected response',
  });
}

/** The caller's signal was aborted: a timeout is a failure of the provider, a cancelled request is not. */
function abortFailure({ reason }: AbortSignal): unknown {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
    ? new ProviderFailure('unreachable', {
        cause: reason,
        detail: 'The host did not respond in time',
      })
    : reason;
}

function requestFailure(cause: unknown): ProviderFailure {
  if (!(cause instanceof OutboundFailure)) return new ProviderFailure('unreachable', { cause });
  const reason = cause.reason === 'not-allowed' ? 'not-allowed' : 'unreachable';
  return new ProviderFailure(reason, { cause, detail: cause.message });
}
