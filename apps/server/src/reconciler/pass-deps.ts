import type { Clock } from '../clock.ts';
import type { Engine, Instance } from '../engines/engine.ts';
import type { Retries } from './retries.ts';
import type { ReconcilerStore } from './store.ts';
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
  /** Waits for one of the few places in which builds run. */
  buildPlace: (signal: AbortSignal) => Promise<() => void>;
  baseDomain: string;
  /** Steady: how far times lie apart is all that counts. */
  clock: Clock;
  logError(error: unknown, appId: string): void;
};
