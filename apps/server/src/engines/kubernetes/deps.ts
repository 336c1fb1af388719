import { DEFAULT_STOP_GRACE_SECONDS } from '@longshore/contract';
import type { Clock } from '@longshore/edge-contract';
import type { RegistrySettings } from '../../build/buildkit/buildkitd-config.ts';
import type { OutboundFetch } from '../../outbound/outbound-fetch.ts';
import type { EngineRecords } from '../engine-records.ts';
import type { SourceBuildDeps } from '../image-build/build-image.ts';
import { IMAGE_BUILD_LIMITS } from '../image-build/default-limits.ts';
import type { LogSink } from '../log-sink.ts';
import type { SourceCredentials } from '../source-credentials.ts';
import type { PodBuilders } from './builder/builders-port.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import type { Ownership } from './ownership.ts';
import type { ProjectCache } from './project-cache.ts';
import type { ProjectNetwork } from './project-objects.ts';

export type KubernetesLimits = typeof IMAGE_BUILD_LIMITS & {
  /** How long the cluster may take to create a pod. */
  createMs: number;
  /** How long a pod may wait for a node with room. */
  scheduleMs: number;
  /** How long a node may take to pull the image and start the container. */
  startMs: number;
  listenTimeoutMs: number;
  /** Time between SIGTERM and SIGKILL, unless a release has a setting. */
  graceSeconds: number;
};

export const DEFAULT_LIMITS: KubernetesLimits = {
  ...IMAGE_BUILD_LIMITS,
  createMs: 30_000,
  scheduleMs: 60_000,
  startMs: 15 * 60_000,
  listenTimeoutMs: 60_000,
  graceSeconds: DEFAULT_STOP_GRACE_SECONDS,
};

/** The dependencies of all modules of this engine. */
export type KubernetesDeps = EngineParts & { builders: PodBuilders };

/** What is known of namespaces, and this server's own changes of them. */
type KnownNamespaces = Pick<ProjectCache, 'namespacesOf' | 'enter' | 'leave'>;

export type EngineParts = Pick<
  SourceBuildDeps,
  | 'isRoot'
  | 'allowLocalSources'
  | 'resolve'
  | 'confinement'
  | 'localGitConfig'
  | 'nodeImage'
  | 'downloadUpload'
> & {
  api: KubernetesApi;
  owner: Ownership;
  logs: LogSink;
  /** Numbers of instances and positions in their logs. */
  records: EngineRecords;
  /** Checkouts of builds. */
  dataDir: string;
  /** For registries, which users choose. */
  fetch: OutboundFetch;
  registries: RegistrySettings;
  credentials: SourceCredentials;
  /** The image with buildkitd in which images are built. */
  builderImage: string;
  /** Of the volumes with their caches. Undefined: the default of the cluster; `none`: no volumes. */
  builderStorageClass: string | undefined;
  /** Builds of one owner at once. */
  maxBuilders: number;
  limits: KubernetesLimits;
  clock: Clock;
  /** Without it, the API server is asked for the namespaces of an app each time. */
  projects?: KnownNamespaces;
  /** The addresses of this machine may change. */
  network(): ProjectNetwork;
  logError(error: unknown): void;
};
