import type { OutboundRequest } from '../outbound/outbound-fetch.ts';

/** `refused`: the provider rejected the request. `unavailable`: it responded with 429 or 5xx. */
export type OAuthFailureReason =
  | 'unreachable'
  | 'timeout'
  | 'unavailable'
  | 'refused'
  | 'invalid-response';

/** A request to an OAuth provider failed. The message holds no secret. */
export class OAuthFailure extends Error {
  readonly reason: OAuthFailureReason;

  constructor(reason: OAuthFailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OAuthFailure';
    this.reason = reason;
  }
}

/** Both `fetch` and `OutboundFetch` are assignable to it. */
export type ProviderFetch = (
  url: string,
  request: OutboundRequest & { redirect: 'error' },
) => Promise<Response>;

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 500_000;

/**
 * Sends a request and reads the whole response, with limits on time and size. Redirects are refused because they would
 * send secrets to another host; an `OutboundFetch` follows them by its own rules.
 */
export async function boundedFetch(
  fetch: ProviderFetch,
  url: string,
  { method = 'GET', headers, body }: Omit<OutboundRequest, 'signal'> = {},
): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', 'user-agent': 'longshore', ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal,
    });
    const { status } = response;
    const text = await readText(response);
    if (status === 429 || status >= 500)
      throw new OAuthFailure('unavailable', `The provider responded with status ${status}`);
    // Some statuses, such as 204, require a null body.
    return new Response(text || null, { status });
  } catch (error) {
    if (error instanceof OAuthFailure) throw error;
    throw signal.aborted
      ? new OAuthFailure('timeout', 'The provider did not respond in time', { cause: error })
      : new OAuthFailure('unreachable', 'The provider could not be reached', { cause: error });
  }
}

/** Requests JSON. Throws an `OAuthFailure` for every other response. */
export async function fetchJson(
  fetch: ProviderFetch,
  url: string,
  request: Omit<OutboundRequest, 'signal'> = {},
): Promise<unknown> {
  const response = await boundedFetch(fetch, url, request);
  if (!response.ok)
    throw new OAuthFailure('refused', `The provider responded with status ${response.status}`);
  return await readJson(response);
}

export async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new OAuthFailure('invalid-response', 'The provider did not respond with JSON', { cause });
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES)
      throw new OAuthFailure('invalid-response', 'The provider sent a response that is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
