import type { IncomingMessage } from 'node:http';
import type { Address } from '../engines/engine.ts';
import { type BodyFraming, bodyFraming } from './body-framing.ts';
import type { IngressErrorCode } from './error-responses.ts';
import { requestTarget } from './request-target.ts';
import type { RoutedApp, RouteTable } from './route-table.ts';

/** What to do with a request: forward it, hold it until the app is ready, or respond with an error. */
export type Destination =
  | AppDestination
  | { kind: 'hold'; app: RoutedApp }
  | { kind: 'error'; code: IngressErrorCode };

export type AppDestination = {
  kind: 'app';
  app: RoutedApp;
  targets: Address[];
  authority: string;
  path: string;
  framing: BodyFraming;
};

type RequestHead = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>;

export function destinationOf(
  request: RequestHead,
  routes: Pick<RouteTable, 'lookup'>,
): Destination {
  const { authority, path } = requestTarget(request.url ?? '/', request.headers.host ?? '');
  const framing = bodyFraming(request.headers);
  if (framing.kind === 'unsupported') return { kind: 'error', code: 'unsupported' };
  if (hasSecondHost(request.rawHeaders)) return { kind: 'error', code: 'bad-request' };
  const app = routes.lookup(authority);
  if (app === undefined) return { kind: 'error', code: 'unknown' };
  const { route } = app;
  switch (route.kind) {
    case 'live': {
      const { targets } = route;
      if (targets.length === 0) return { kind: 'hold', app };
      return { kind: 'app', app, targets, authority, path, framing };
    }
    case 'starting':
      return { kind: 'hold', app };
    case 'hibernated':
      return route.wakesOnRequest ? { kind: 'hold', app } : { kind: 'error', code: 'hibernated' };
    case 'failed':
      return { kind: 'error', code: 'failed' };
  }
}

/** With two Host headers it is ambiguous which app the request is for (RFC 9112 §3.2). */
function hasSecondHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
