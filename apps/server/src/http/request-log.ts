import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { hostAndPath } from './host-and-path.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { type HeaderList, withHeaders } from './with-headers.ts';

export type RequestLog = (line: {
  requestId: string;
  method: string;
  path: string;
  status: number;
  tookMs: number;
}) => void;

export type WithRequestId = { Variables: { requestId: string } };

const FIXED_HEADERS: HeaderList = Object.entries(SECURITY_HEADERS);

/**
 * Logs one line per request and sets the headers of every response, with the request's id among them. The query string
 * is not logged: it may contain tickets.
 */
export function requestLog(log: RequestLog): MiddlewareHandler<WithRequestId> {
  return async (context, next) => {
    const requestId = randomUUID();
    context.set('requestId', requestId);
    const startedAt = performance.now();
    await withHeaders(context, [['X-Request-Id', requestId], ...FIXED_HEADERS], next);
    log({
      requestId,
      method: context.req.method,
      // Not decoded: it could contain line breaks and terminal escape sequences.
      path: hostAndPath(context.req.url).path,
      status: context.res.status,
      tookMs: Math.round(performance.now() - startedAt),
    });
  };
}
