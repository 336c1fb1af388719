import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { addressOf } from './address-of.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { type Headings, withHeaders } from './with-headers.ts';

export type RequestLog = (line: {
  requestId: string;
  method: string;
  path: string;
  status: number;
  tookMs: number;
}) => void;

export type WithRequestId = { Variables: { requestId: string } };

const ALWAYS: Headings = Object.entries(SECURITY_HEADERS);

/**
 * One line a request, with an id that the caller is told too, among the headers of every answer. Queries are left
 * out: they may hold tickets.
 */
export function requestLog(log: RequestLog): MiddlewareHandler<WithRequestId> {
  return async (context, next) => {
    const requestId = randomUUID();
    context.set('requestId', requestId);
    const startedAt = performance.now();
    await withHeaders(context, [['X-Request-Id', requestId], ...ALWAYS], next);
    log({
      requestId,
      method: context.req.method,
      // As it was sent: decoded, it could hold line breaks and the terminal's own commands.
      path: addressOf(context.req.url).path,
      status: context.res.status,
      tookMs: Math.round(performance.now() - startedAt),
    });
  };
}
