import type { SourcePolicy } from '../../build/source-policy.ts';
import type { Semaphore } from '../../concurrency/semaphore.ts';
import type { ConfinementTools } from '../../processes/confine.ts';
import type { LogSink } from '../log-sink.ts';
import type { SourceCredentials } from '../source-credentials.ts';
import type { DockerApi } from './docker-api.ts';
import type { GitSandbox } from './git-sandbox.ts';
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
  /** Time between SIGTERM and SIGKILL. */
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

/** The dependencies of all modules of this engine. */
export type DockerDeps = {
  docker: DockerApi;
  clock: { now(): number };
  owner: Ownership;
  logs: LogSink;
  limits: DockerLimits;
  /** For checkouts and records that Docker cannot store. */
  dataDir: string;
  isRoot: boolean;
  allowLocalSources: boolean;
  /** Access to private sources and images. */
  credentials: SourceCredentials;
  /** The base image of Node projects without a Dockerfile. */
  nodeImage: string;
  confinement: ConfinementTools;
  gitSandbox: GitSandbox;
  resolve: SourcePolicy['resolve'];
  /** Path of the git configuration for local sources, which allows repositories of other users. */
  localGitConfig: string;
  /** Held while networks are created or removed. */
  networkLock: Semaphore;
};
