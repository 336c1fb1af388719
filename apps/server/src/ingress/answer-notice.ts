import type { IncomingMessage, ServerResponse } from 'node:http';
import { acceptedForm, type Form } from './accepted-form.ts';
import { noticePage } from './notice-page.ts';
import { NOTICES, type Notice } from './notices.ts';

const CONTENT_TYPES: Record<Form, string> = {
  page: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'";

/** Speaks in the app's stead: a page for people, `{status, error, message}` for programs. */
export function answerNotice(
  request: IncomingMessage,
  response: ServerResponse,
  notice: Notice,
): void {
  if (response.destroyed) return;
  const text = NOTICES[notice];
  const form = acceptedForm(request.headers.accept);
  const body = bodyOf(notice, form, request.headers.host ?? '');
  const headers: Record<string, string | number> = {
    'Content-Type': CONTENT_TYPES[form],
    'Content-Length': Buffer.byteLength(body),
    'Content-Security-Policy': PAGE_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
  if (text.retryAfterSeconds !== undefined) headers['Retry-After'] = text.retryAfterSeconds;
  response.writeHead(text.status, headers);
  response.end(body);
}

function bodyOf(notice: Notice, form: Form, host: string): string {
  const text = NOTICES[notice];
  if (form === 'page') return noticePage(text, host);
  if (form === 'text') return `${text.title} ${text.advice}\n`;
  return JSON.stringify({ status: text.status, error: notice, message: text.title });
}
