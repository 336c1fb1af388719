/** The sum of the utilization of all workers at a time. 1 is one busy core. */
export type LoadSample = { at: number; utilization: number };

type Layout = {
  /** Those that accept connections: one with all slots, or one per slot. */
  workers: number;
  slots: number;
  /** Those that wait for the end of their last connections. */
  retiring: number;
};

const BUSY = 0.6;
const BUSY_SAMPLES = 2;
const QUIET = 0.3;
const QUIET_MS = 60_000;

/**
 * One worker is enough for a quiet edge. `grow`: start one per slot. `park`: go back to one, after a minute with little
 * load. A worker with open websockets stays until they end, so workers are parked only when the last ones are gone:
 * otherwise there could be more and more of them.
 */
export function planLayout(
  samples: readonly LoadSample[],
  { workers, slots, retiring }: Layout,
): { action: 'grow' | 'park' | 'stay'; samples: LoadSample[] } {
  const latest = samples.slice(-BUSY_SAMPLES);
  const isBusy =
    latest.length === BUSY_SAMPLES && latest.every(({ utilization }) => utilization >= BUSY);
  if (workers === 1 && slots > 1 && isBusy) return { action: 'grow', samples: [] };
  if (workers === 1) return { action: 'stay', samples: latest };
  const quietFrom = samples.findLastIndex(({ utilization }) => utilization >= QUIET) + 1;
  const quiet = samples.slice(quietFrom);
  const quietMs = (quiet.at(-1)?.at ?? 0) - (quiet[0]?.at ?? 0);
  if (quietMs >= QUIET_MS && retiring === 0) return { action: 'park', samples: [] };
  // The first and the last sample give the length of the quiet time.
  return { action: 'stay', samples: [...quiet.slice(0, 1), ...quiet.slice(1).slice(-1)] };
}
