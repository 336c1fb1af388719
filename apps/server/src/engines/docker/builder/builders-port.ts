import type { Builders, RunningBuilder } from '../../image-build/builders-port.ts';

export type DockerBuilder = RunningBuilder & {
  containerId: string;
  /** Gives a process of the server the priority of the builder, for as long as the builder runs. */
  lowerPriority(pid: number): Promise<void>;
};

/** The builders of this engine. */
export type DockerBuilders = Builders<DockerBuilder> & {
  /** What the caches of an owner take of the machine's disk. */
  usedBytes(ownerId: string): Promise<number>;
  /** Stops the builders without work, of one owner or of all, and removes the caches that are not in use. */
  removeCaches(ownerId?: string): Promise<void>;
  close(): Promise<void>;
};
