import type { IncomingMessage } from 'node:http';
import type { Address } from '../engines/engine.ts';
import type { Notice } from './notices.ts';
import { type Framing, framingOf } from './request-headers.ts';
import { requestTarget } from './request-target.ts';
import type { RoutedApp, RouteTable } from './route-table.ts';

/** What is done with a request: passed on, held until the app answers, or answered by us. */
export type Destination =
  | ToApp
  | { kind: 'held'; app: RoutedApp }
  | { kind: 'notice'; notice: Notice };

export type ToApp = {
  kind: 'app';
  app: RoutedApp;
  targets: Address[];
  authority: string;
  path: string;
  framing: Framing;
};

type Arrived = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>;

export function destinationOf(request: Arrived, routes: Pick<RouteTable, 'lookup'>): Destination {
  const { authority, path } = requestTarget(request.url ?? '/', request.headers.host ?? '');
  const framing = framingOf(request.headers);
  if (framing.kind === 'refused') return { kind: 'notice', notice: 'unsupported' };
  if (hasSecondHost(request.rawHeaders)) return { kind: 'notice', notice: 'bad-request' };
  const app = routes.lookup(authority);
  if (app === undefined) return { kind: 'notice', notice: 'unknown' };
  const { route } = app;
  switch (route.kind) {
    case 'live': {
      const { targets } = route;
      if (targets.length === 0) return { kind: 'held', app };
      return { kind: 'app', app, targets, authority, path, framing };
    }
    case 'starting':
      return { kind: 'held', app };
    case 'hibernated':
      return route.wakes ? { kind: 'held', app } : { kind: 'notice', notice: 'hibernated' };
    case 'failed':
      return { kind: 'notice', notice: 'failed' };
  }
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
