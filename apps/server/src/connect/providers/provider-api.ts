import type { z } from 'zod';
import { OutboundFailure, type OutboundFetch } from '../../outbound/outbound-fetch.ts';
import type { Clock } from '../../schedule/clock.ts';
import type { Secret } from '../../secrets/secret.ts';
import { failureOfResponse } from './failure-of-response.ts';
import { ProviderFailure } from './provider-failure.ts';

export type ApiDeps = { fetch: OutboundFetch; clock: Pick<Clock, 'now'> };

/** Where an API is, and what every request to it carries. */
export type ApiPlace = { url: string; headers: Record<string, string>; token: Secret };

export type Page = { body: unknown; headers: Headers };

/** One provider's API for one account. Paths are below the API; what stands in the way is a `ProviderFailure`. */
export type ProviderApi = {
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  /** An answer with the headers that lead to the next. */
  page(path: string): Promise<Page>;
  post<T>(path: string, body: unknown, schema: z.ZodType<T>): Promise<T>;
  /** What is gone already counts as deleted. */
  delete(path: string, body?: unknown): Promise<void>;
};

export function createProviderApi(
  { fetch, clock }: ApiDeps,
  place: ApiPlace,
  signal: AbortSignal,
): ProviderApi {
  async function ask(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(place.url + path, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'longshore',
        ...place.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    }).catch((error) => {
      throw signal.aborted ? abandoned(signal) : unanswered(error);
    });
    if (response.ok) return response;
    throw failureOfResponse(response, await response.text(), { now: clock.now(), ...place });
  }

  return {
    get: async (path, schema) => parse(await json(await ask('GET', path)), schema),
    async page(path) {
      const response = await ask('GET', path);
      return { body: await json(response), headers: response.headers };
    },
    post: async (path, body, schema) => parse(await json(await ask('POST', path, body)), schema),
    async delete(path, body) {
      await ask('DELETE', path, body).catch((error) => {
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
    throw notUnderstood({ cause });
  }
}

function parse<T>(body: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw notUnderstood();
}

/** A page for people in place of an answer, for one: it is not the address of such a provider. */
export function notUnderstood(options?: ErrorOptions): ProviderFailure {
  return new ProviderFailure('unreachable', {
    ...options,
    detail: 'The answer cannot be understood',
  });
}

/** Whoever asks may have set a time; otherwise they left, and it is no failure of the provider's. */
function abandoned({ reason }: AbortSignal): unknown {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
    ? new ProviderFailure('unreachable', { cause: reason, detail: 'It did not answer in time' })
    : reason;
}

function unanswered(cause: unknown): ProviderFailure {
  if (!(cause instanceof OutboundFailure)) return new ProviderFailure('unreachable', { cause });
  const reason = cause.reason === 'not-allowed' ? 'not-allowed' : 'unreachable';
  return new ProviderFailure(reason, { cause, detail: cause.message });
}
