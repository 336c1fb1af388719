import type { Clock } from '@longshore/edge-contract';
import { createFairQueue } from '../concurrency/fair-queue.ts';
import type { Change } from '../db/change.ts';
import type { DomainStore } from './domain-store.ts';

type DomainSchedulerDeps = {
  store: Pick<DomainStore, 'due'>;
  check(domain: string, signal: AbortSignal): Promise<void>;
  listen(listener: (change: Change) => void): () => void;
  clock: Clock;
  logError(error: unknown): void;
};

const TICK_MS = 30_000;
const MAX_DUE_PER_ACCOUNT = 20;
const MAX_CHECKS = 8;
/** One account with slow name servers must not delay the checks of others. */
const MAX_CHECKS_PER_ACCOUNT = 2;

/** Checks domains when they are due, and new ones as soon as an app is saved, until it is stopped. */
export function startDomainScheduler(deps: DomainSchedulerDeps): { stop(): Promise<void> } {
  const { store, check, listen, clock, logError } = deps;
  const queue = createFairQueue({
    maxRunning: MAX_CHECKS,
    maxRunningPerKey: MAX_CHECKS_PER_ACCOUNT,
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const scheduled = new Map<string, Promise<void>>();
  let timer: unknown;
  let isRequested = false;
  let running: Promise<void> | undefined;
  const stopListening = listen((change) => {
    const isEdit = change.kind === 'resource' && change.change.isNewGeneration;
    if (isEdit || change.kind === 'missed') request();
  });
  request();
  return {
    async stop() {
      stopping.abort();
      stopListening();
      clock.clearTimeout(timer);
      await Promise.all([running, ...scheduled.values()]);
    },
  };

  function request(): void {
    isRequested = true;
    running ??= run();
  }

  async function run(): Promise<void> {
    while (isRequested && !signal.aborted) {
      isRequested = false;
      await store
        .due(clock.now(), MAX_DUE_PER_ACCOUNT)
        .then((due) => due.forEach(schedule))
        .catch(logError);
    }
    running = undefined;
    clock.clearTimeout(timer);
    if (!signal.aborted) timer = clock.setTimeout(request, TICK_MS);
  }

  function schedule({ domain, ownerId = '' }: { domain: string; ownerId: string | undefined }) {
    if (scheduled.has(domain) || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    scheduled.set(domain, promise);
    queue.add(ownerId, async () => {
      await checkUnlessStopped(domain);
      scheduled.delete(domain);
      resolve();
    });
  }

  async function checkUnlessStopped(domain: string): Promise<void> {
    if (signal.aborted) return;
    await check(domain, signal).catch((error) => {
      if (!signal.aborted) logError(error);
    });
  }
}
