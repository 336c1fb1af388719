import { isRecord } from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { Clock, Fetch } from '../ports.ts';
import { type Caller, callerHeaders } from './caller-headers.ts';
import { withDeadline } from './deadline.ts';
import { abortError, failure, networkFailure, type RequestResult } from './request-result.ts';

const RESPONSE_TIMEOUT_MS = 30_000;

export type CallDeps = {
  /** The service's URL, without a trailing slash. */
  url: string;
  clock: Clock;
  fetch: Fetch;
  auth: Pick<Auth, 'accessToken'>;
} & Caller;

export type Call<Data> = {
  path: string;
  init: Omit<RequestInit, 'headers' | 'signal'> & { headers?: Record<string, string> };
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  read(response: Response): Promise<RequestResult<Data>>;
};

/** One request as the signed-in user. Failures are returned, never thrown (spec-map 8.1.18–19). */
export async function call<Data>(
  deps: CallDeps,
  { path, init, signal, timeoutMs = RESPONSE_TIMEOUT_MS, read }: Call<Data>,
): Promise<RequestResult<Data>> {
  try {
    const token = await deps.auth.accessToken();
    const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const headers = callerHeaders({ ...init.headers, ...bearer }, deps);
    return await withDeadline(
      { clock: deps.clock, timeoutMs, ...(signal ? { signal } : {}) },
      async (signal) => read(await deps.fetch(deps.url + path, { ...init, headers, signal })),
    );
  } catch {
    return signal?.aborted ? abortError() : networkFailure();
  }
}

/** The text of the response is the message, unless one is passed. */
export async function textFailure(response: Response, message?: string) {
  const { status, statusText } = response;
  const text = message ?? (messageIn(await response.text()) || 'Something went wrong');
  return failure({ status, error: statusText || 'unknown', message: text });
}

function messageIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const error = isRecord(body) && isRecord(body.error) ? body.error : body;
    return isRecord(error) && typeof error.message === 'string' ? error.message : text;
  } catch {
    return text;
  }
}
