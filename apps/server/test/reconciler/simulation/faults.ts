import type { SimulatedClock } from '@longshore/testkit';
import { EngineFailure } from '../../../src/engines/failure.ts';
import type { Random } from './random.ts';

export const FAULTS = [
  'engine call failed',
  'engine call failed after it worked',
  'engine call stalled',
  'engine event lost',
  'store call failed',
  'store call failed after it worked',
  'log unreadable',
  'notifications lost',
  'instance crashed',
  'machine rebooted',
  'clock set forward',
  'clock set back',
  'server killed',
  'server stopped',
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** Decides what goes wrong, and counts it. */
export type Faults = {
  readonly counts: Map<FaultKind, number>;
  /** How often calls fail: 0 in good weather. */
  setWeather(probability: number): void;
  /** Whether the fault happens now. */
  strikes(kind: FaultKind): boolean;
  note(kind: FaultKind): void;
  /** Lets time pass as a call over a network or a disk would. */
  takeTime(longestMs: number, signal?: AbortSignal): Promise<void>;
  error(): Error;
};

type FaultsDeps = { random: Random; clock: SimulatedClock };

export function createFaults({ random, clock }: FaultsDeps): Faults {
  const counts = new Map<FaultKind, number>();
  let probability = 0;
  const note = (kind: FaultKind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return {
    counts,
    setWeather(next) {
      probability = next;
    },
    strikes(kind) {
      const isStruck = random.chance(probability);
      if (isStruck) note(kind);
      return isStruck;
    },
    note,
    takeTime: (longestMs, signal) =>
      new Promise((resolve, reject) => {
        const fail = () => {
          clock.clearTimeout(timer);
          reject(signal?.reason);
        };
        const timer = clock.setTimeout(() => {
          signal?.removeEventListener('abort', fail);
          resolve();
        }, 1 + random.below(longestMs));
        if (signal?.aborted) fail();
        else signal?.addEventListener('abort', fail, { once: true });
      }),
    error: () =>
      random.pick([new Error('The disk is full'), new EngineFailure('engine-failed', ['busy'])]),
  };
}
