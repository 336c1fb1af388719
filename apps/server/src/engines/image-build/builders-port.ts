import type { Builder } from '../../build/buildkit/builder.ts';

/** A place for one builder of an owner, with a cache of its own. */
export type BuilderSlot = { ownerId: string; number: number };

/** Who builds what. */
export type BuilderRequest = {
  ownerId: string;
  appId: string;
  writeLine(line: string): void;
};

export type RunningBuilder = {
  builder: Builder;
  /** How many of its programs the kernel has ended because its memory was full. */
  memoryKills(signal: AbortSignal): Promise<number>;
  isRunning(signal: AbortSignal): Promise<boolean>;
  /** Ends everything that runs in it. When it resolves, nothing runs any more. */
  stop(): Promise<void>;
};

/** A builder during one build. */
export type UsedBuilder<Running extends RunningBuilder = RunningBuilder> = Running & {
  /** Whether the kernel has ended programs of the build because its memory was full. */
  wasOutOfMemory(signal: AbortSignal): Promise<boolean>;
};

/** The builders of all owners, at most one build in each at a time. */
export type Builders<Running extends RunningBuilder = RunningBuilder> = {
  /**
   * Starts or reuses a builder of the owner. A build that fails as an `EngineFailure` other than `cluster-down` has ended;
   * whenever `work` throws something else or is aborted, the builder and everything in it is ended before this rejects. One that
   * cannot be ended is not used again.
   */
  use<Result>(
    request: BuilderRequest,
    work: (used: UsedBuilder<Running>) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>;
};
