import type { Origin, Port } from '@longshore/contract';

/** One release of one app, as an engine needs it. Engine-neutral. */
export type ReleaseSpec = {
  appId: string;
  /** The user whose app it is. */
  ownerId: string;
  projectId: string;
  /** How the other apps of the project call it. */
  name: string;
  /** Grows by one with each attempt of this app. */
  number: number;
  origin: Origin;
  env: Record<string, string>;
  ports: Port[];
};

export type Address = { host: string; port: number };

/** How an instance ended. `code` and `signal` are unknown when nobody was watching. */
export type Exit = {
  code: number | undefined;
  signal: string | undefined;
  at: Date;
  /** Whether it was ended because it used more memory than it may. */
  isOutOfMemory?: boolean;
};

/** Where the other apps of a project find an instance, and how they call it. */
export type NetworkAlias = { projectId: string; name: string };

/** One running, or ended, copy of a release. */
export type Instance = {
  id: string;
  release: number;
  /** Unknown where apps do not find each other. */
  networkAlias?: NetworkAlias;
  /** Under which its lines are kept. */
  logName: string;
  address: Address;
  startedAt: Date;
  state: { kind: 'running' } | { kind: 'exited'; exit: Exit };
};

/** What an engine sees of one app now. */
export type ObservedApp = {
  /** Numbers of the releases that are built and can be started. */
  built: number[];
  instances: Instance[];
};

/** Told while a build goes on, so that a person can see what is waited for. */
export type BuildProgress = (phase: 'fetching' | 'building') => void;

/**
 * A way to run apps. Every call is idempotent and compares with what is, so that a pass which was cut off
 * anywhere can be made again. `observe` throws when it cannot see; it never guesses. What an engine can
 * foresee going wrong is thrown as `EngineFailure`. An aborted call stops its work before it rejects. While a release
 * is built, others of the app may be started and checked.
 */
export type Engine = {
  readonly kind: 'process' | 'docker' | 'kubernetes';
  /** Ids of all apps of which this engine holds anything. */
  listApps(signal: AbortSignal): Promise<string[]>;
  observe(appId: string, signal: AbortSignal): Promise<ObservedApp>;
  /** Makes the release startable; answers the commit or digest it is made of. */
  build(
    spec: ReleaseSpec,
    progress: BuildProgress,
    signal: AbortSignal,
  ): Promise<{ revision: string }>;
  /** Makes the release startable of what was built for another one of the app, without building again. */
  reuseBuild(spec: ReleaseSpec, from: number, signal: AbortSignal): Promise<void>;
  /** Starts one instance of a built release. */
  startInstance(spec: ReleaseSpec, signal: AbortSignal): Promise<Instance>;
  /** Resolves once the instance answers on its port. */
  waitUntilListening(instance: Instance, spec: ReleaseSpec, signal: AbortSignal): Promise<void>;
  /** Asks to stop, then forces. An instance that is gone already is fine. */
  stopInstance(appId: string, instance: Instance, signal: AbortSignal): Promise<void>;
  /** Removes what releases older than `keep` left behind; the running ones stay. */
  pruneReleases(appId: string, keep: number[], signal: AbortSignal): Promise<void>;
  /** Leaves nothing of the app: no instance, no build, no file. */
  removeApp(appId: string, signal: AbortSignal): Promise<void>;
  /** Calls back when something of an app changed by itself. Answers how to stop watching. */
  watch(changed: (appId: string) => void): () => void;
};
