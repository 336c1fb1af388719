import type { Builder } from '../../../build/buildkit/builder.ts';

/** Who builds what. */
export type BuilderRequest = {
  ownerId: string;
  appId: string;
  writeLine(line: string): void;
};

/** A builder during one build. */
export type UsedBuilder = {
  builder: Builder;
  containerId: string;
  /** Whether the kernel has ended programs of the build because its memory was full. */
  wasOutOfMemory(signal: AbortSignal): Promise<boolean>;
};

/** The builders of all owners, at most one build in each at a time. */
export type Builders = {
  /**
   * Starts or reuses a builder of the owner. A build that fails as an `EngineFailure` has ended; whenever `work` throws
   * something else or is aborted, the builder and everything in it is ended before this rejects.
   */
  use<Result>(
    request: BuilderRequest,
    work: (used: UsedBuilder) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>;
  /** What the caches of an owner take of the machine's disk. */
  usedBytes(ownerId: string): Promise<number>;
  /** Stops the builders without work, of one owner or of all, and removes the caches that are not in use. */
  removeCaches(ownerId?: string): Promise<void>;
  close(): Promise<void>;
};
