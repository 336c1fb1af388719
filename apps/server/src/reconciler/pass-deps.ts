import type { ReconcilerStore } from '../apps/reconciler-store.ts';
import type { Clock } from '../clock.ts';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { Engine, Instance } from '../engines/engine.ts';
import type { Retries } from './retries.ts';
import type { Traffic } from './traffic.ts';

/** What every pass works with. */
export type PassDeps = {
  store: ReconcilerStore;
  engine: Engine;
  traffic: Traffic;
  retries: Retries;
  /** The newest lines an instance printed, for evidence. */
  lastLines(appId: string, instance: Instance): Promise<string[]>;
  /** Forgets everything an app printed. */
  forgetLogs(appId: string): Promise<void>;
  /** Each running build holds a permit. */
  buildSlots: Semaphore;
  baseDomain: string;
  /** Steady: how far times lie apart is all that counts. */
  clock: Clock;
  logError(error: unknown, appId: string): void;
};
