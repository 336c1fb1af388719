import { errorPage } from '../proxy/error-page.ts';
import type { ErrorResponse } from '../proxy/error-responses.ts';
import type { RequestFacts, Verdict } from '../proxy/request-facts.ts';
import { responseFormat } from '../proxy/response-format.ts';

export type PolicyResponse = Extract<Verdict, { kind: 'respond' }>;

/** Why the settings of an app refuse a request. Sent to programs as `error`. */
export type RefusalCode =
  | 'forbidden'
  | 'maintenance'
  | 'unauthorized'
  | 'too-many-attempts'
  | 'too-large';

const REFUSALS: Record<RefusalCode, ErrorResponse> = {
  forbidden: {
    status: 403,
    title: 'This app is not available from your address.',
    advice: 'Its owner allows certain networks only.',
  },
  maintenance: {
    status: 503,
    title: 'This app is down for maintenance.',
    advice: 'It will be back soon. This page reloads automatically.',
    retryAfterSeconds: 60,
    refreshSeconds: 30,
  },
  unauthorized: {
    status: 401,
    title: 'This app requires a username and a password.',
    advice: 'Reload the page to enter them.',
  },
  'too-many-attempts': {
    status: 429,
    title: 'Too many wrong passwords.',
    advice: 'Wait a minute, then try again.',
    retryAfterSeconds: 60,
  },
  'too-large': {
    status: 413,
    title: 'This upload is too large.',
    advice: 'The owner of the app limits the size of requests.',
  },
};

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/** A page for browsers, `{status, error, message}` for programs. */
export function refusal(
  code: RefusalCode,
  { headers: { accept }, host }: Pick<RequestFacts, 'headers' | 'host'>,
  extraHeaders: Record<string, string> = {},
): PolicyResponse {
  const response = REFUSALS[code];
  const { status, title, advice, retryAfterSeconds } = response;
  const [type, body] = {
    page: () => ['text/html', errorPage(response, host)] as const,
    json: () =>
      ['application/json', JSON.stringify({ status, error: code, message: title })] as const,
    text: () => ['text/plain', `${title} ${advice}\n`] as const,
  }[responseFormat(accept)]();
  return {
    kind: 'respond',
    status,
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      ...HEADERS,
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
      ...extraHeaders,
    },
    body,
  };
}
