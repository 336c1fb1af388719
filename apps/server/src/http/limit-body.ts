import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Problem } from './problem.ts';

/**
 * Refuses bodies above a size. Node reads no more of a body than Content-Length declares, so only bodies without a
 * length have to be counted. Counting copies the whole request, which costs more than most responses.
 */
export function limitBody(maxBytes: number): MiddlewareHandler {
  const countBytes = bodyLimit({ maxSize: maxBytes, onError: refuse });
  return (context, next) => {
    const declared = context.req.header('content-length');
    if (declared === undefined || context.req.header('transfer-encoding') !== undefined) {
      return countBytes(context, next);
    }
    if (Number(declared) > maxBytes) refuse();
    return next();
  };
}

function refuse(): never {
  throw new Problem(413, 'payload-too-large', 'The request body is too large');
}
