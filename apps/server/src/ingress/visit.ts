import type { IncomingMessage } from 'node:http';
import type { ToApp } from './destination.ts';
import type { Notice } from './notices.ts';
import type { RoutedApp } from './route-table.ts';

/** A request or a websocket handshake that came in, and what can be done with it. */
export type Visit = {
  request: IncomingMessage;
  forward(destination: ToApp): void;
  answer(notice: Notice): void;
  /** Calls back when it is over, however it ended. */
  onEnd(listener: () => void): void;
};

/** From now until its end, the app is in use. */
export function countVisit(visit: Visit, app: RoutedApp, clock: { now(): number }): void {
  app.openVisits += 1;
  visit.onEnd(() => {
    app.openVisits -= 1;
    app.lastVisitAt = clock.now();
  });
}
