import { type CallDeps, call } from '../http/call.ts';
import { type ConnectResult, noToken, readConnectResponse } from './connect-result.ts';

export type Abortable = { signal?: AbortSignal };

export type ConnectRequest<Data> = {
  path: string;
  method?: 'GET' | 'POST' | 'DELETE';
  body?: unknown;
  /** Receives undefined for an empty body and returns undefined for an unexpected one. */
  decode(body: unknown): Data | undefined;
} & Abortable;

/** The server reads thousands of repositories page by page and stops after half of this time. */
const TIMEOUT_MS = 60_000;

/** A request to the integrations service as the signed-in user. Failures are returned, never thrown. */
export async function connectRequest<Data>(
  deps: CallDeps,
  { path, method = 'GET', body, decode, signal }: ConnectRequest<Data>,
): Promise<ConnectResult<Data>> {
  if ((await deps.auth.accessToken()) === undefined) return noToken();
  const sentBody = body === undefined ? {} : { body: JSON.stringify(body) };
  const result = await call<ConnectResult<Data>>(deps, {
    path,
    init: { method, headers: { 'content-type': 'application/json' }, ...sentBody },
    signal,
    timeoutMs: TIMEOUT_MS,
    read: async (response) => ({ ok: true, data: await readConnectResponse(response, decode) }),
  });
  return result.ok ? result.data : result;
}

/** Accepts a body that passes the check. */
export function only<Data>(
  isExpected: (body: unknown) => body is Data,
): (body: unknown) => Data | undefined {
  return (body) => (isExpected(body) ? body : undefined);
}

/** An empty body is an empty list (spec-map 7.5.10). */
export function orEmpty<Data>(
  empty: Data,
  decode: (body: unknown) => Data | undefined,
): (body: unknown) => Data | undefined {
  return (body) => (body === undefined ? empty : decode(body));
}
