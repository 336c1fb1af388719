import type { Clock } from '@longshore/edge-contract';
import { pause } from '../../concurrency/pause.ts';

/** After a start, all apps are observed before the logs of their instances are opened: with thousands of them, each delays the other. */
export type FirstObservations = {
  record(appId: string): void;
  /** Resolves when no app has been observed for the first time for a moment, or after a while. */
  over(signal: AbortSignal): Promise<void>;
};

const QUIET_MS = 1_000;
const LONGEST_MS = 120_000;

/** Once they are over they stay so: apps that are created later delay nothing. */
export function createFirstObservations(clock: Clock): FirstObservations {
  const observed = new Set<string>();
  const latestEnd = clock.now() + LONGEST_MS;
  let end = latestEnd;
  return {
    record(appId) {
      if (clock.now() >= end || observed.has(appId)) return;
      observed.add(appId);
      end = Math.min(clock.now() + QUIET_MS, latestEnd);
    },
    async over(signal) {
      for (let leftMs = end - clock.now(); leftMs > 0; leftMs = end - clock.now()) {
        // The end comes nearer with the first app.
        await pause(Math.min(leftMs, QUIET_MS), { clock, signal });
      }
    },
  };
}
