import type { IncomingMessage } from 'node:http';
import { hostName, requestTarget } from './request-target.ts';
import { acceptsHtml } from './response-format.ts';

type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
export type HoldTimeouts = { pageHoldMs: number; holdMs: number };

/**
 * How long a request is held while the app starts. A browser that opens a page gets the "starting" page after
 * `pageHoldMs`. That page reloads itself, and the reload is held for `holdMs`: the browser shows the page until then.
 */
export function holdTimeoutMs(request: RequestHead, { pageHoldMs, holdMs }: HoldTimeouts): number {
  return isNavigation(request) && !isReload(request) ? pageHoldMs : holdMs;
}

/** A submitted form must not get the "starting" page: its fields would be lost. */
function isNavigation({ method, headers }: RequestHead): boolean {
  const mode = headers['sec-fetch-mode'] ?? 'navigate';
  return method === 'GET' && mode === 'navigate' && acceptsHtml(headers.accept);
}

/** Also true for an app's own page that reloads itself. The browser keeps showing it, so holding is fine there too. */
function isReload({ url, headers }: RequestHead): boolean {
  if (headers.referer === undefined) return false;
  const from = requestTarget(headers.referer, '');
  const to = requestTarget(url ?? '/', headers.host ?? '');
  return from.path === to.path && hostName(from.authority) === hostName(to.authority);
}
