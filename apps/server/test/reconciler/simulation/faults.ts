import type { SimulatedClock } from '@longshore/testkit';
import { EngineFailure } from '../../../src/engines/failure.ts';
import type { Random } from './random.ts';

export const FAULTS = [
  'engine call failed',
  'engine call failed after it took effect',
  'engine call stalled',
  'engine event lost',
  'store call failed',
  'store call failed after it took effect',
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

/** Decides which faults occur, and counts them. */
export type Faults = {
  readonly counts: Map<FaultKind, number>;
  /** How often calls fail. */
  setProbability(probability: number): void;
  /** Whether the fault occurs now. */
  occurs(kind: FaultKind): boolean;
  record(kind: FaultKind): void;
  /** Waits as long as a call over a network or to a disk could take. */
  delay(longestMs: number, signal?: AbortSignal): Promise<void>;
  error(): Error;
};

type FaultsDeps = { random: Random; clock: SimulatedClock };

export function createFaults({ random, clock }: FaultsDeps): Faults {
  const counts = new Map<FaultKind, number>();
  let probability = 0;
  const record = (kind: FaultKind) => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return {
    counts,
    setProbability(next) {
      probability = next;
    },
    occurs(kind) {
      const isFault = random.chance(probability);
      if (isFault) record(kind);
      return isFault;
    },
    record,
    delay: (longestMs, signal) =>
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
