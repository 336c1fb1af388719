import type { Context, MiddlewareHandler } from 'hono';
import { type Headings, setHeaders, withHeaders } from './with-headers.ts';

const METHODS = 'GET,HEAD,PUT,POST,DELETE,PATCH';
/** What pages elsewhere may read beside the body. Wire §1. */
const READABLE = 'Retry-After,ETag,Content-Range,Content-Disposition,X-Error';
const PREFLIGHT_SECONDS = 86_400;

/** Lets pages of the origins we know read our answers (CORS). */
export function crossOrigin(isKnown: (origin: string) => boolean): MiddlewareHandler {
  return (context, next) => {
    const origin = context.req.header('origin');
    const headers: Headings = [
      ['Access-Control-Allow-Credentials', 'true'],
      ['Access-Control-Expose-Headers', READABLE],
      ['Vary', 'Origin'],
    ];
    if (origin && isKnown(origin)) headers.push(['Access-Control-Allow-Origin', origin]);
    if (context.req.method === 'OPTIONS') return answerPreflight(context, headers);
    return withHeaders(context, headers, next);
  };
}

/** What a browser asks before it sends the request itself. */
async function answerPreflight(context: Context, headers: Headings): Promise<Response> {
  const wanted = context.req.header('access-control-request-headers');
  headers.push(
    ['Access-Control-Max-Age', String(PREFLIGHT_SECONDS)],
    ['Access-Control-Allow-Methods', METHODS],
    ['Vary', 'Access-Control-Request-Headers'],
  );
  if (wanted) headers.push(['Access-Control-Allow-Headers', wanted]);
  setHeaders(context, headers);
  return context.body(null, 204);
}
