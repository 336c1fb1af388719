import { randomUUID } from 'node:crypto';
import type { AppValues } from '@longshore/contract';
import { monotonicClock } from '@longshore/edge-contract';
import { buildAppValues } from '@longshore/testkit';
import { expect } from 'vitest';
import type { Engine } from '../src/engines/engine.ts';
import type { Reason } from '../src/engines/failure.ts';
import { probe } from '../src/reconciler/health/probe.ts';
import { failureMessage } from '../src/reconciler/messages.ts';
import { createReconciler } from '../src/reconciler/reconciler.ts';
import { NO_OWNER_LIMITS } from './no-limits.ts';
import { createMemoryRoutes } from './reconciler/memory-routes.ts';
import { createMemoryStore, type MemoryStore } from './reconciler/memory-store.ts';
import { TIERS } from './tiers.ts';

/** Deploys to a real engine through a real reconciler on a memory store. */
export type DeployHarness = {
  store: MemoryStore;
  deploy(values: Partial<AppValues>): string;
  /** Waits until the status has this reason. Returns the evidence lines of its message. */
  waitForFailure(appId: string, reason: Reason): Promise<string[]>;
  waitUntilSynced(appId: string): Promise<void>;
  stop(): Promise<void>;
};

/** `refusal`: why nobody may deploy. */
type Options = { store?: MemoryStore; refusal?: string[] | undefined };

const POLL = { timeout: 120_000 };
const { source, container } = buildAppValues();

export async function startDeployHarness(
  engine: Engine,
  lastLines: (logName: string) => string[],
  { store = createMemoryStore({ clock: Date, newId: () => randomUUID() }), refusal }: Options = {},
): Promise<DeployHarness> {
  const reconciler = createReconciler({
    store,
    engine,
    routes: createMemoryRoutes(),
    listen: store.listen,
    probe,
    lastLines: async (_, { logName }) => lastLines(logName),
    deleteStored: async () => {},
    baseDomain: 'localhost',
    refusalOf: async () => refusal,
    maxBuilds: 2,
    ownerLimits: NO_OWNER_LIMITS,
    tiers: TIERS,
    clock: monotonicClock,
    logError() {},
  });
  await reconciler.start();
  return {
    store,
    deploy: (values) => store.addApp(values),
    async waitForFailure(appId, reason) {
      const expected = failureMessage(reason, []);
      const message = () => store.statusOf(appId).message ?? '';
      await expect.poll(() => message().split('\n').slice(0, 2).join('\n'), POLL).toBe(expected);
      expect(store.statusOf(appId).status).toBe('backoff');
      return message().slice(expected.length).split('\n').slice(1);
    },
    async waitUntilSynced(appId) {
      await expect.poll(() => store.statusOf(appId).status, POLL).toBe('synced');
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
