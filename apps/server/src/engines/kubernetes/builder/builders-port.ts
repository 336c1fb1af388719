import type { Builders, RunningBuilder } from '../../image-build/builders-port.ts';

export type PodBuilder = RunningBuilder & {
  /** Why its pod ended by itself, if that was up to the build. */
  endReason(signal: AbortSignal): Promise<'build-disk-full' | 'build-out-of-memory' | undefined>;
};

/** The builders of this engine. */
export type PodBuilders = Builders<PodBuilder> & {
  /** Stops the builders of an owner that are without work. */
  stopIdle(ownerId: string): Promise<void>;
  close(): Promise<void>;
};
