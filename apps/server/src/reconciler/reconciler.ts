import { chartNameOf } from '@longshore/contract';
import { createSemaphore } from '../concurrency/semaphore.ts';
import type { Change } from '../db/change.ts';
import { desiredApp } from './desired.ts';
import { reconcile } from './pass.ts';
import type { PassDeps } from './pass-deps.ts';
import { createQueue, type Turn } from './queue.ts';
import { createRetries } from './retries.ts';
import { createTraffic, type RoutePort } from './traffic.ts';

export type ReconcilerDeps = Omit<PassDeps, 'traffic' | 'retries' | 'buildSlots'> & {
  routes: RoutePort;
  listen: (listener: (change: Change) => void) => () => void;
  builds: number;
};

export type Reconciler = {
  /** Gives every app that is wished for its address, so that nobody is told it does not exist before it was looked at. */
  expectVisitors(): Promise<void>;
  /** Looks at every app once: what is wished, and what an engine still holds of apps that are not. */
  start(): Promise<void>;
  /** Something that is no wish changed for an app. */
  look(appId: string): void;
  stop(): Promise<void>;
};

const RESYNC_MS = 600_000;

/** Makes what runs equal to what is wished, for ever. Woken by NOTIFY, by the engine, and slowly by itself. */
export function createReconciler(deps: ReconcilerDeps): Reconciler {
  const { store, engine, clock } = deps;
  const stopping = new AbortController();
  const queue = createQueue({ runPass, clock });
  const passDeps: PassDeps = {
    ...deps,
    traffic: createTraffic(deps.routes),
    retries: createRetries({ clock, wakeLater: queue.wakeLater }),
    buildSlots: createSemaphore(deps.builds),
  };
  const stopListening = deps.listen(hear);
  const stopWatching = engine.watch((appId) => queue.wake(appId));
  let resync: unknown;

  return {
    async expectVisitors() {
      for (const app of await store.existingApps()) {
        passDeps.traffic.expect(desiredApp(app, deps.baseDomain));
      }
    },
    start: lookAtAll,
    look: (appId) => queue.wake(appId),
    async stop() {
      stopping.abort();
      stopListening();
      stopWatching();
      clock.clearTimeout(resync);
      await queue.stop();
    },
  };

  function hear(change: Change): void {
    if (change.kind === 'missed') void lookAtAll();
    if (change.kind !== 'resource') return;
    const { id, chartName, wished } = change.change;
    if (wished && chartName === chartNameOf('app')) queue.wake(id, { interrupt: true });
  }

  async function lookAtAll(): Promise<void> {
    try {
      const wished = await store.appIds();
      const held = await engine.listApps(stopping.signal);
      for (const appId of new Set([...wished, ...held])) queue.wake(appId);
    } catch (error) {
      if (!stopping.signal.aborted) deps.logError(error, 'all');
    }
    if (!stopping.signal.aborted) {
      clock.clearTimeout(resync);
      resync = clock.setTimeout(() => void lookAtAll(), RESYNC_MS);
    }
  }

  async function runPass(appId: string, turn: Turn): Promise<void> {
    try {
      await reconcile(appId, turn, passDeps);
    } catch (error) {
      if (turn.signal.aborted) return;
      deps.logError(error, appId);
      passDeps.retries.unseen(appId);
    }
  }
}
