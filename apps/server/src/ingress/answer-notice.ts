import type { IncomingMessage, ServerResponse } from 'node:http';
import { noticePage } from './notice-page.ts';
import { NOTICES, type Notice } from './notices.ts';

const ACCEPTS_HTML = /text\/(html|\*)|application\/xhtml\+xml/i;
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'";

/** Speaks in the app's stead: a page for people, `{status, error, message}` for programs. */
export function answerNotice(
  request: IncomingMessage,
  response: ServerResponse,
  notice: Notice,
): void {
  if (response.destroyed) return;
  const text = NOTICES[notice];
  const isPage = ACCEPTS_HTML.test(request.headers.accept ?? '');
  const body = isPage
    ? noticePage(text, request.headers.host ?? '')
    : JSON.stringify({ status: text.status, error: notice, message: text.title });
  const headers: Record<string, string | number> = {
    'Content-Type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Content-Security-Policy': PAGE_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
  if (text.retryAfterSeconds !== undefined) headers['Retry-After'] = text.retryAfterSeconds;
  response.writeHead(text.status, headers);
  response.end(body);
}
