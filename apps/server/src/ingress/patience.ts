import type { IncomingMessage } from 'node:http';
import { acceptsHtml } from './accepted-form.ts';
import { hostName } from './host-name.ts';
import { requestTarget } from './request-target.ts';

type Waiting = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
type Patience = { pageMs: number; holdMs: number };

/**
 * How long a visitor is held while the app starts. Somebody before a browser sees a page of ours soon. That page
 * asks for its own address again, and is held for long: a browser shows it until the app has answered.
 */
export function patienceMs(request: Waiting, { pageMs, holdMs }: Patience): number {
  return opensPage(request) && !comesFromItself(request) ? pageMs : holdMs;
}

/** A form that is sent must not be answered with a page: its fields would be lost. */
function opensPage({ method, headers }: Waiting): boolean {
  const mode = headers['sec-fetch-mode'] ?? 'navigate';
  return method === 'GET' && mode === 'navigate' && acceptsHtml(headers.accept);
}

/** If an app's own page does the same, it stays in sight while its visitor waits, which is as good. */
function comesFromItself({ url, headers }: Waiting): boolean {
  if (headers.referer === undefined) return false;
  const from = requestTarget(headers.referer, '');
  const to = requestTarget(url ?? '/', headers.host ?? '');
  return from.path === to.path && hostName(from.authority) === hostName(to.authority);
}
