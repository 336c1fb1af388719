import type { Clock } from '../schedule/clock.ts';
import { type Destination, destinationOf } from './destination.ts';
import type { HeldRequest, HeldRequests } from './held-requests.ts';
import { type HoldTimeouts, holdTimeoutMs } from './hold-timeout.ts';
import type { InboundRequest } from './inbound-request.ts';
import type { RoutedApp, RouteTable } from './route-table.ts';
import type { WakeRequests } from './wake-requests.ts';

export type RouteRequestDeps = {
  clock: Clock;
  routes: Pick<RouteTable, 'lookup'>;
  heldRequests: HeldRequests;
  wakeRequests: WakeRequests;
  holdTimeouts: HoldTimeouts;
};

/** Forwards a request to its app, holds it until the app is ready, or responds with an error. */
export function routeRequest(inbound: InboundRequest, deps: RouteRequestDeps): void {
  const { clock, routes, heldRequests, wakeRequests } = deps;
  const { request } = inbound;
  const firstDestination = destinationOf(request, routes);
  if (firstDestination.kind !== 'error') countOpenRequest(inbound, firstDestination.app, clock);
  let held: HeldRequest | undefined;
  send(firstDestination);

  function send(destination: Destination): void {
    if (destination.kind === 'app') inbound.forward(destination);
    else if (destination.kind === 'error') inbound.sendError(destination.code);
    else hold(destination.app.id, destination.app.route.kind === 'hibernated');
  }

  function hold(appId: string, isHibernated: boolean): void {
    held ??= createHeldRequest(appId);
    if (!heldRequests.hold(held)) inbound.sendError('busy');
    else if (isHibernated) wakeRequests.request(appId);
  }

  function createHeldRequest(appId: string): HeldRequest {
    const heldRequest: HeldRequest = {
      appId,
      deadline: clock.now() + holdTimeoutMs(request, deps.holdTimeouts),
      retry: () => send(destinationOf(request, routes)),
      fail: inbound.sendError,
    };
    inbound.onEnd(() => heldRequests.drop(heldRequest));
    return heldRequest;
  }
}

/** Marks the app as in use until the request has ended. */
function countOpenRequest(inbound: InboundRequest, app: RoutedApp, clock: Clock): void {
  app.openRequests += 1;
  inbound.onEnd(() => {
    app.openRequests -= 1;
    app.lastActiveAt = clock.now();
  });
}
