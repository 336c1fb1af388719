import type { IncomingMessage } from 'node:http';
import type { Address } from '../engines/engine.ts';
import type { Notice } from './notices.ts';
import { type Framing, framingOf } from './request-headers.ts';
import { requestTarget } from './request-target.ts';
import type { Route, RouteTable } from './route-table.ts';

/** What is done with a request: passed on, or answered by us. */
export type Destination =
  | { kind: 'app'; targets: Address[]; authority: string; path: string; framing: Framing }
  | { kind: 'notice'; notice: Notice };

type Arrived = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>;

export function destinationOf(request: Arrived, routes: Pick<RouteTable, 'lookup'>): Destination {
  const { authority, path } = requestTarget(request.url ?? '/', request.headers.host ?? '');
  const framing = framingOf(request.headers);
  if (framing.kind === 'refused') return { kind: 'notice', notice: 'unsupported' };
  if (hasSecondHost(request.rawHeaders)) return { kind: 'notice', notice: 'bad-request' };
  const route = routes.lookup(authority);
  if (route?.kind === 'live' && route.targets.length > 0) {
    return { kind: 'app', targets: route.targets, authority, path, framing };
  }
  return { kind: 'notice', notice: noticeOf(route) };
}

function noticeOf(route: Route | undefined): Notice {
  if (route === undefined) return 'unknown';
  return route.kind === 'live' ? 'starting' : route.kind;
}

/** Two Host headers are two opinions on whose request this is. RFC 9112 §3.2. */
function hasSecondHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
