import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Problem } from './problem.ts';

/**
 * Refuses bodies above a size. Node reads no more of a body than was declared, so that only one without a length
 * has to be counted; that takes a copy of the whole request, which costs more than most answers.
 */
export function limitBody(maxBytes: number): MiddlewareHandler {
  const count = bodyLimit({ maxSize: maxBytes, onError: refuse });
  return (context, next) => {
    const declared = context.req.header('content-length');
    if (declared === undefined || context.req.header('transfer-encoding') !== undefined) {
      return count(context, next);
    }
    if (Number(declared) > maxBytes) refuse();
    return next();
  };
}

function refuse(): never {
  throw new Problem(413, 'payload-too-large', 'The request body is too large');
}
