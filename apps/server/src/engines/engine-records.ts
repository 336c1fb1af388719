import type { z } from 'zod';

/**
 * Small values that an engine must find again after a restart, by paths such as `kubernetes/<app>/last-instance`: files in the
 * data directory, or rows of the database that several servers share.
 */
export type EngineRecords = {
  /** Undefined when there is none, or when it does not match the schema. */
  read<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined>;
  /** A reader sees the old or the new value, never a part. */
  write(path: string, value: unknown): Promise<void>;
  /** Writes and returns the next number: above the one that is stored, if any, and above `floor`. */
  increase(path: string, floor: number): Promise<number>;
  /** Removes the record with this path, and all below it. */
  remove(path: string): Promise<void>;
};
