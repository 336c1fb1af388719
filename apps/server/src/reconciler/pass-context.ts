import type { ReconcilerStore } from '../apps/reconciler-store.ts';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { Engine, Instance } from '../engines/engine.ts';
import type { Clock } from '../schedule/clock.ts';
import type { DesiredApp } from './desired.ts';
import type { AppRetries, Retries } from './retries.ts';
import type { AppRouting } from './routing.ts';

/** What all passes share. */
export type PassDeps = {
  store: ReconcilerStore;
  engine: Engine;
  routing: AppRouting;
  retries: Retries;
  /** The newest log lines of an instance, as evidence for a failure. */
  lastLines(appId: string, instance: Instance): Promise<string[]>;
  /** Deletes all log lines of an app. */
  deleteLogs(appId: string): Promise<void>;
  /** Each running build holds a permit. */
  buildSlots: Semaphore;
  baseDomain: string;
  /** Why an account may not deploy, line by line. Undefined: it may. */
  refusalOf(ownerId: string): Promise<string[] | undefined>;
  /** Must be monotonic: only differences between times count. */
  clock: Clock;
  logError(error: unknown, appId: string): void;
};

/** One pass for one app. */
export type PassContext = {
  desired: DesiredApp;
  retries: AppRetries;
  /** Aborted when the desired state changes, and when the server stops. */
  signal: AbortSignal;
  deps: PassDeps;
};
