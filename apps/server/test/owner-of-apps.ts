import { randomUUID } from 'node:crypto';
import type { AppValues } from '@longshore/contract';
import { buildAppValues } from '@longshore/testkit';
import { expect } from 'vitest';
import type { Engine } from '../src/engines/engine.ts';
import type { Reason } from '../src/engines/failure.ts';
import { failureMessage } from '../src/reconciler/messages.ts';
import { createReconciler } from '../src/reconciler/reconciler.ts';
import { monotonicClock } from '../src/schedule/clock.ts';
import { createMemoryRoutes } from './reconciler/memory-routes.ts';
import { createMemoryStore, type MemoryStore } from './reconciler/memory-store.ts';

/** For tests: somebody who deploys to a real engine through a real reconciler, and reads what comes of it. */
export type OwnerOfApps = {
  store: MemoryStore;
  deploy(values: Partial<AppValues>): string;
  /** Waits until the app is said to fail for this reason; answers the lines below the explanation. */
  isTold(appId: string, reason: Reason): Promise<string[]>;
  isReady(appId: string): Promise<void>;
  stop(): Promise<void>;
};

const PATIENCE = { timeout: 55_000 };
const { source, container } = buildAppValues();

export async function startOwner(
  engine: Engine,
  lastLines: (logName: string) => string[],
): Promise<OwnerOfApps> {
  const store = createMemoryStore({ clock: Date, newId: () => randomUUID() });
  const reconciler = createReconciler({
    store,
    engine,
    routes: createMemoryRoutes(),
    listen: store.listen,
    lastLines: async (_, { logName }) => lastLines(logName),
    deleteLogs: async () => {},
    baseDomain: 'localhost',
    maxBuilds: 2,
    clock: monotonicClock,
    logError() {},
  });
  await reconciler.start();
  return {
    store,
    deploy: (values) => store.addApp(values),
    async isTold(appId, reason) {
      const explained = failureMessage(reason, []);
      const message = () => store.statusOf(appId).message ?? '';
      await expect
        .poll(() => message().split('\n').slice(0, 2).join('\n'), PATIENCE)
        .toBe(explained);
      expect(store.statusOf(appId).status).toBe('backoff');
      return message().slice(explained.length).split('\n').slice(1);
    },
    async isReady(appId) {
      await expect.poll(() => store.statusOf(appId).status, PATIENCE).toBe('synced');
    },
    stop: reconciler.stop,
  };
}

export function fromGit(url: string, ref = 'main'): Pick<AppValues, 'source'> {
  return { source: { ...source, url, ref } };
}

export function fromImage(image: string): Pick<AppValues, 'source' | 'container'> {
  return { source: { ...source, enabled: false }, container: { ...container, image } };
}
