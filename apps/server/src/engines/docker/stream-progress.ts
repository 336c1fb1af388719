import type { LogEntry } from './container-logs.ts';

export type StreamTiming = {
  /** A stream that brought nothing for so long may hang. */
  idleMs: number;
  /** Then it is checked if it has brought so much since the last check, */
  burstBytes: number;
  /** or after this time. */
  routineMs: number;
};

export const STREAM_TIMING: StreamTiming = {
  idleMs: 5_000,
  burstBytes: 1024 ** 2,
  routineMs: 15 * 60_000,
};

export type StreamProgress = ReturnType<typeof createStreamProgress>;

/**
 * Finds out that the log stream of a container hangs: older versions of Docker end up waiting for a log file that they have
 * already rotated, mostly when an app writes fast. Then the stream brings nothing any more, whatever the app writes.
 */
export function createStreamProgress(clock: { now(): number }, timing = STREAM_TIMING) {
  let isReading = false;
  let newest = '';
  let readAt = 0;
  let checkedAt = 0;
  /** As after a burst: a new stream is checked once. */
  let bytesSinceCheck = timing.burstBytes;
  /** What Docker had at the last check and the stream had not brought. It may have been on its way. */
  let missing: string | undefined;

  function resume(): void {
    isReading = true;
    readAt = clock.now();
  }

  return {
    /** `since`: the newest entry that was read from an earlier stream. */
    open(since: string | undefined): void {
      newest = since ?? '';
      checkedAt = clock.now();
      resume();
    },
    /** Nothing is read for a while, or any more. */
    pause(): void {
      isReading = false;
    },
    resume,
    read({ at, bytes }: Pick<LogEntry, 'at' | 'bytes'>): void {
      if (at > newest) newest = at;
      readAt = clock.now();
      bytesSinceCheck += bytes.length;
    },
    /** Whether Docker should be asked for the newest entry. */
    isDue(): boolean {
      const now = clock.now();
      const isIdle = isReading && now - readAt >= timing.idleMs;
      const isSuspicious = missing !== undefined || bytesSinceCheck >= timing.burstBytes;
      return isIdle && (isSuspicious || now - checkedAt >= timing.routineMs);
    },
    /** Whether the stream hangs, if Docker has this newest entry. */
    hangs(at: string | undefined): boolean {
      checkedAt = clock.now();
      const isHanging = isReading && missing !== undefined && missing > newest;
      missing = at !== undefined && at > newest ? at : undefined;
      if (missing === undefined) bytesSinceCheck = 0;
      return isHanging;
    },
  };
}
