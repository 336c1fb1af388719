import type { Clock } from '../clock.ts';
import { type Destination, destinationOf } from './destination.ts';
import type { Held, Holding } from './holding.ts';
import { patienceMs } from './patience.ts';
import type { RouteTable } from './route-table.ts';
import { countVisit, type Visit } from './visit.ts';
import type { WakeCalls } from './wake-calls.ts';

export type ReceiveDeps = {
  clock: Clock;
  routes: Pick<RouteTable, 'lookup'>;
  holding: Holding;
  wakeCalls: WakeCalls;
  patience: { pageMs: number; holdMs: number };
};

/** Sends a visit on its way: to its app, into the waiting room until the app answers, or away. */
export function receive(visit: Visit, deps: ReceiveDeps): void {
  const { clock, routes, holding, wakeCalls } = deps;
  const { request } = visit;
  const destination = destinationOf(request, routes);
  if (destination.kind !== 'notice') countVisit(visit, destination.app, clock);
  let held: Held | undefined;
  send(destination);

  function send(to: Destination): void {
    if (to.kind === 'app') visit.forward(to);
    else if (to.kind === 'notice') visit.answer(to.notice);
    else hold(to.app.id, to.app.route.kind === 'hibernated');
  }

  function hold(appId: string, isAsleep: boolean): void {
    held ??= comeToWait(appId);
    if (!holding.hold(held)) visit.answer('busy');
    else if (isAsleep) wakeCalls.want(appId);
  }

  function comeToWait(appId: string): Held {
    const waiting: Held = {
      appId,
      until: clock.now() + patienceMs(request, deps.patience),
      go: () => send(destinationOf(request, routes)),
      tooLate: () => visit.answer('starting'),
    };
    visit.onEnd(() => holding.drop(waiting));
    return waiting;
  }
}
