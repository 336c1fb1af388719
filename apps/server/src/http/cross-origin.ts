import type { Context, MiddlewareHandler } from 'hono';
import { type HeaderList, setHeaders, withHeaders } from './with-headers.ts';

const METHODS = 'GET,HEAD,PUT,POST,DELETE,PATCH';
/** Response headers that pages of other origins may read. */
const EXPOSED_HEADERS = 'Retry-After,ETag,Content-Range,Content-Disposition,X-Error';
const PREFLIGHT_SECONDS = 86_400;

/** CORS: lets pages of known origins read responses. */
export function crossOrigin(isKnown: (origin: string) => boolean): MiddlewareHandler {
  return (context, next) => {
    const origin = context.req.header('origin');
    const headers: HeaderList = [
      ['Access-Control-Allow-Credentials', 'true'],
      ['Access-Control-Expose-Headers', EXPOSED_HEADERS],
      ['Vary', 'Origin'],
    ];
    if (origin && isKnown(origin)) headers.push(['Access-Control-Allow-Origin', origin]);
    if (context.req.method === 'OPTIONS') return respondToPreflight(context, headers);
    return withHeaders(context, headers, next);
  };
}

async function respondToPreflight(context: Context, headers: HeaderList): Promise<Response> {
  const requestedHeaders = context.req.header('access-control-request-headers');
  headers.push(
    ['Access-Control-Max-Age', String(PREFLIGHT_SECONDS)],
    ['Access-Control-Allow-Methods', METHODS],
    ['Vary', 'Access-Control-Request-Headers'],
  );
  if (requestedHeaders) headers.push(['Access-Control-Allow-Headers', requestedHeaders]);
  setHeaders(context, headers);
  return context.body(null, 204);
}
