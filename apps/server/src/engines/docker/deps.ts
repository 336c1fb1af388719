import type { SourcePolicy } from '../../build/source-policy.ts';
import type { Semaphore } from '../../concurrency/semaphore.ts';
import type { ConfinementTools } from '../../processes/confine.ts';
import type { LogSink } from '../log-sink.ts';
import type { SourceCredentials } from '../source-credentials.ts';
import type { DockerApi } from './docker-api.ts';
import type { Ownership } from './ownership.ts';

export type DockerLimits = {
  fetchMs: number;
  checkoutBytes: number;
  checkoutFiles: number;
  pullMs: number;
  buildMs: number;
  buildMemoryBytes: number;
  buildCpus: number;
  listenTimeoutMs: number;
  /** How long an app may take to stop when asked. */
  graceSeconds: number;
};

export const DEFAULT_LIMITS: DockerLimits = {
  fetchMs: 5 * 60_000,
  checkoutBytes: 1024 ** 3,
  checkoutFiles: 200_000,
  pullMs: 15 * 60_000,
  buildMs: 15 * 60_000,
  buildMemoryBytes: 2 * 1024 ** 3,
  buildCpus: 1,
  listenTimeoutMs: 60_000,
  graceSeconds: 10,
};

/** What the parts of the engine share. */
export type DockerDeps = {
  docker: DockerApi;
  clock: { now(): number };
  owner: Ownership;
  logs: LogSink;
  limits: DockerLimits;
  /** Our own folder, for checkouts and what Docker cannot remember. */
  dataDir: string;
  isRoot: boolean;
  allowLocalSources: boolean;
  /** What lets private sources and images be read. */
  credentials: SourceCredentials;
  /** What a checkout without a Dockerfile is built on. */
  nodeImage: string;
  confinement: ConfinementTools;
  resolve: SourcePolicy['resolve'];
  /** Git's configuration for local sources, whoever they belong to. */
  localGitConfig: string;
  /** Held while networks are created or removed. */
  networkLock: Semaphore;
};
