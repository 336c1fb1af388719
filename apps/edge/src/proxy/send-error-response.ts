import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorPage } from './error-page.ts';
import { ERROR_RESPONSES, type ProxyErrorCode } from './error-responses.ts';
import { type ResponseFormat, responseFormat } from './response-format.ts';

const CONTENT_TYPES: Record<ResponseFormat, string> = {
  page: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'";

/**
 * Responds in place of the app: a page for browsers, `{status, error, message}` for programs. Returns the length of the
 * body.
 */
export function sendErrorResponse(
  request: IncomingMessage,
  response: ServerResponse,
  code: ProxyErrorCode,
  authority: string,
): number {
  if (response.destroyed) return 0;
  const { status, retryAfterSeconds } = ERROR_RESPONSES[code];
  const format = responseFormat(request.headers.accept);
  const body = renderBody(code, format, authority);
  const length = Buffer.byteLength(body);
  const headers: Record<string, string | number> = {
    'Content-Type': CONTENT_TYPES[format],
    'Content-Length': length,
    'Content-Security-Policy': PAGE_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = retryAfterSeconds;
  // A response of the app that HTTP/2 cannot express leaves its headers behind.
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.writeHead(status, headers);
  response.end(body);
  return request.method === 'HEAD' ? 0 : length;
}

function renderBody(code: ProxyErrorCode, format: ResponseFormat, host: string): string {
  const error = ERROR_RESPONSES[code];
  if (format === 'page') return errorPage(error, host);
  if (format === 'text') return `${error.title} ${error.advice}\n`;
  return JSON.stringify({ status: error.status, error: code, message: error.title });
}
