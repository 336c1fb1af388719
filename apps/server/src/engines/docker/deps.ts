import { DEFAULT_STOP_GRACE_SECONDS } from '@longshore/contract';
import type { RegistrySettings } from '../../build/buildkit/buildkitd-config.ts';
import type { RegistryForwarders } from '../../build/buildkit/open-forwarders.ts';
import type { SourcePolicy } from '../../build/source-policy.ts';
import type { Semaphore } from '../../concurrency/semaphore.ts';
import type { ConfinementTools } from '../../processes/confine.ts';
import { IMAGE_BUILD_LIMITS } from '../image-build/default-limits.ts';
import type { LogSink } from '../log-sink.ts';
import type { SourceCredentials } from '../source-credentials.ts';
import type { BuilderPriority } from './builder/builder-priority.ts';
import type { DockerBuilders } from './builder/builders-port.ts';
import type { DockerApi } from './docker-api.ts';
import type { NetworkFirewall } from './firewall.ts';
import type { MachineSpace } from './machine-space.ts';
import type { Ownership } from './ownership.ts';
import type { DockerSandbox } from './sandbox.ts';

export type DockerLimits = {
  fetchMs: number;
  checkoutBytes: number;
  checkoutFiles: number;
  pullMs: number;
  buildMs: number;
  buildMemoryBytes: number;
  buildCpus: number;
  /** Steps of one build at the same time. */
  buildSteps: number;
  /** The cache of a builder and everything that a build writes. */
  builderDiskBytes: number;
  /** Builders without work are stopped after this time. */
  builderIdleMs: number;
  /** The unpacked layers of an image; below 8 GiB. */
  imageBytes: number;
  /** The files, folders and links in them. */
  imageFiles: number;
  listenTimeoutMs: number;
  /** Time between SIGTERM and SIGKILL, unless a release has a setting. */
  graceSeconds: number;
};

export const DEFAULT_LIMITS: DockerLimits = {
  ...IMAGE_BUILD_LIMITS,
  pullMs: 15 * 60_000,
  listenTimeoutMs: 60_000,
  graceSeconds: DEFAULT_STOP_GRACE_SECONDS,
};

/** The dependencies of all modules of this engine. */
export type DockerDeps = EngineParts & { builders: DockerBuilders };

export type EngineParts = {
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
  /** The image with buildkitd in which images are built. */
  builderImage: string;
  builderPriority: BuilderPriority;
  /** Registries of the operator. */
  registries: RegistrySettings;
  /** Of those that builders do not reach themselves. */
  forwarders: RegistryForwarders;
  confinement: ConfinementTools;
  /** For git and builders. Apps run in containers. */
  sandbox: DockerSandbox;
  resolve: SourcePolicy['resolve'];
  /** Path of the git configuration for local sources, which allows repositories of other users. */
  localGitConfig: string;
  firewall: NetworkFirewall;
  /** What the storage of the Docker Engine can do, as far as it has not refused it. */
  storage: { hasDiskLimit: boolean };
  /** The public host names of apps are below it. */
  baseDomain: string;
  /** The network of git and builders, which no project gets. */
  reservedNetwork: string;
  /** Held while networks are created or removed. */
  networkLock: Semaphore;
  /** Held while the engine takes an image from a builder. */
  loadLock: Semaphore;
  space: MachineSpace;
  logError(error: unknown): void;
};
