import type { Fetch } from '../ports.ts';

/** Who calls, beside the session. Spec §6. */
export type Caller = {
  /** Replaces the bearer token everywhere but at the auth service, which asks who the person is. */
  adminSecret?: string;
  role?: string;
};

type Headers = Record<string, string>;

export function callerHeaders(headers: Headers, { adminSecret, role }: Caller): Headers {
  const kept = adminSecret === undefined ? headers : withoutSession(headers);
  return {
    ...kept,
    ...(adminSecret === undefined ? {} : { 'x-hasura-admin-secret': adminSecret }),
    ...(role === undefined ? {} : { 'x-hasura-role': role }),
  };
}

/** A `fetch` whose every call names the caller. */
export function fetchAs(fetch: Fetch, caller: Caller): Fetch {
  return named(fetch, caller, (headers) => callerHeaders(headers, caller));
}

/** The same for the auth service, which is told who the person is besides. */
export function authFetch(fetch: Fetch, caller: Caller): Fetch {
  return named(fetch, caller, (headers) => ({ ...callerHeaders(headers, caller), ...headers }));
}

function named(
  fetch: Fetch,
  { adminSecret, role }: Caller,
  headersOf: (headers: Headers) => Headers,
): Fetch {
  if (adminSecret === undefined && role === undefined) return fetch;
  return (url, init) =>
    fetch(url, { ...init, headers: headersOf((init?.headers ?? {}) as Headers) });
}

function withoutSession(headers: Headers): Headers {
  const isSession = (name: string) => ['authorization', 'role'].includes(name.toLowerCase());
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isSession(name)));
}
