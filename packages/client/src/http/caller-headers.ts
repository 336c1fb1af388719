import type { Fetch } from '../ports.ts';

/** Credentials besides the session (spec-map 6.10–11). */
export type Caller = {
  /** Replaces the bearer token, except at the auth service, which needs the user's identity. */
  adminSecret?: string;
  role?: string;
};

type Headers = Record<string, string>;

export function callerHeaders(headers: Headers, { adminSecret, role }: Caller): Headers {
  const base = adminSecret === undefined ? headers : withoutSession(headers);
  return {
    ...base,
    ...(adminSecret === undefined ? {} : { 'x-hasura-admin-secret': adminSecret }),
    ...(role === undefined ? {} : { 'x-hasura-role': role }),
  };
}

/** A `fetch` that adds the caller's headers. */
export function fetchAs(fetch: Fetch, caller: Caller): Fetch {
  return withHeaders(fetch, caller, (headers) => callerHeaders(headers, caller));
}

/** The same for the auth service: the bearer token stays. */
export function authFetch(fetch: Fetch, caller: Caller): Fetch {
  return withHeaders(fetch, caller, (headers) => ({
    ...callerHeaders(headers, caller),
    ...headers,
  }));
}

function withHeaders(
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

/** The bearer token, or the role `public` without one (spec-map 6.9). */
export function bearerOrPublicRole(accessToken: string | undefined): Record<string, string> {
  return accessToken === undefined
    ? { role: 'public' }
    : { Authorization: `Bearer ${accessToken}` };
}
