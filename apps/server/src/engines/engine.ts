import type {
  BuildInputs,
  BuildSettings,
  Detected,
  Origin,
  Port,
  RunSettings,
  Size,
} from '@longshore/contract';

/** One release of one app, as engines need it. */
export type ReleaseSpec = {
  appId: string;
  /** The user who owns the app. */
  ownerId: string;
  projectId: string;
  /** Its host name for the other apps of the project. */
  name: string;
  /** Grows by one with each attempt of this app. */
  number: number;
  origin: Origin;
  env: Record<string, string>;
  ports: Port[];
  /** What each instance may use. */
  size: Size;
  /**
   * The process whose instances are started, with its command in `run`. It has no ports and no private name. Absent: `web`.
   */
  process?: string;
  /** How often the owner cleared the build cache. */
  cacheClears?: number;
  /** Ignored for images. */
  build?: BuildSettings;
  run?: RunSettings;
  /** How long an instance may take to accept connections. Absent: the default of the engine. */
  graceSeconds?: number;
};

export type Address = { host: string; port: number };

/**
 * An instance that accepts connections: its address and its start may be new. `foundPort`: the port that the app listens on
 * instead of its own, if its traffic is sent there.
 */
export type Listening = { instance: Instance; foundPort: number | undefined };

/** How an instance exited. `code` and `signal` are undefined when it exited while no server ran. */
export type Exit = {
  code: number | undefined;
  signal: string | undefined;
  at: Date;
  /** Whether it was killed because it exceeded its memory limit. */
  isOutOfMemory?: boolean;
};

/** What its app was called, and in which project, when an instance was started. Other apps find only `web` by it. */
export type NetworkAlias = { projectId: string; name: string };

/** What the other apps of the project call an app. */
export function privateNames({ name }: Pick<NetworkAlias, 'name'>): string[] {
  return [name, `${name}.internal`];
}

/** One running or exited copy of a release. */
export type Instance = {
  id: string;
  release: number;
  /** Absent: `web`. */
  process?: string;
  /** Undefined for engines without project networks. */
  networkAlias?: NetworkAlias;
  /** It was started by an earlier version in a way that is no longer good enough: it serves until another one does. */
  isOutdated?: true;
  /** It gets no protection before `protectInstances`. */
  isUnprotected?: true;
  /** The name of its log. */
  logName: string;
  /** Port 0: it has no address. */
  address: Address;
  startedAt: Date;
  state: { kind: 'running' } | { kind: 'exited'; exit: Exit };
};

/** The current state of one app in an engine. */
export type ObservedApp = {
  /** Numbers of the releases that can be started. */
  built: number[];
  instances: Instance[];
};

/**
 * What a running instance has used since it was started, and what it uses now. An engine leaves out what it cannot measure.
 * CPU time and bytes of the network only grow, unless the instance was restarted.
 */
export type InstanceUsage = {
  appId: string;
  /** With the name of its process, if that is not `web`: `worker.4`. */
  instanceId: string;
  cpuSeconds?: number | undefined;
  memoryBytes?: number | undefined;
  networkReceivedBytes?: number | undefined;
  networkSentBytes?: number | undefined;
  /** What the app has written. Instances that share a disk have the same number. */
  diskBytes?: number | undefined;
};

/** A user and all apps of the user that may have files in an engine. */
export type OwnerApps = { ownerId: string; appIds: string[] };

/** The source is fetched, or built: then its commit or image digest is known. */
export type BuildPhase = { phase: 'fetching' } | { phase: 'building'; revision: string };

/** `revision`: its commit or image digest. `inputs`: undefined for a build of an older version. */
export type Build = { revision: string; inputs: BuildInputs | undefined };

/** How the source is built and started, once that is known. */
export type BuildDetection = { phase: 'detected'; detected: Detected };

/** Called during a build, to show what is known of it to the user, also if it fails later. */
export type BuildProgress = (progress: BuildPhase | BuildDetection) => void;

/** A command that runs once, beside the instances of an app. */
export type AppCommand = {
  /** Of the commands of an app with the same id only one runs at a time. Lower-case letters, digits and hyphens. */
  id: string;
  /** As a person typed it. */
  text: string;
  /** The name of the log that gets its output. */
  logName: string;
  timeoutMs: number;
};

/** What an engine writes to the log of a command before its output. */
export function commandLine(text: string): string {
  return `$ ${text}`;
}

export type CommandEnd = { kind: 'exited'; exit: Omit<Exit, 'at'> } | { kind: 'timed-out' };

/**
 * Runs apps. Every call is idempotent and starts from the observed state, so that an interrupted pass can be repeated.
 * `observe` throws when the state cannot be read; it never guesses. Expected failures are thrown as `EngineFailure`. An
 * aborted call stops its work before it rejects. While a release is built, other releases of the app may be started.
 */
export type Engine = {
  readonly kind: 'process' | 'docker' | 'kubernetes';
  /** Whether instances have a `networkAlias`, so that a new name restarts an app. */
  readonly hasProjectNetwork: boolean;
  /** Ids of all apps that have instances, builds or files in this engine. */
  listApps(signal: AbortSignal): Promise<string[]>;
  observe(appId: string, signal: AbortSignal): Promise<ObservedApp>;
  /** Builds or pulls the release. */
  build(spec: ReleaseSpec, progress: BuildProgress, signal: AbortSignal): Promise<Build>;
  /** Makes the release startable with the build of another release of the app. */
  reuseBuild(spec: ReleaseSpec, from: number, signal: AbortSignal): Promise<void>;
  /** Starts one instance of a built release, beside those that run. Calls for one app come one after the other. */
  startInstance(spec: ReleaseSpec, signal: AbortSignal): Promise<Instance>;
  /** Resolves once the instance accepts connections on its port, or at once if it runs and has none. */
  waitUntilListening(
    instance: Instance,
    spec: ReleaseSpec,
    signal: AbortSignal,
  ): Promise<Listening>;
  /**
   * The edge sends requests to these instances of `web`: from now on, drains of their machines take only one of them at a time. Engines
   * whose machines nobody drains have no such function.
   */
  protectInstances?(appId: string, instances: Instance[], signal: AbortSignal): Promise<void>;
  /**
   * Sends SIGTERM, then SIGKILL after the grace period of the release that the instance was started with. Ignores an instance
   * that does not exist. An instance that exited is observed until then. Several instances of an app may stop at once.
   */
  stopInstance(appId: string, instance: Instance, signal: AbortSignal): Promise<void>;
  /**
   * Runs a command with the build, the variables, the size and the network of a built release. When it ends, by itself, by its
   * timeout or by an abort, nothing that it started runs any more. A command of an earlier server is ended before.
   */
  runCommand(spec: ReleaseSpec, command: AppCommand, signal: AbortSignal): Promise<CommandEnd>;
  /** Removes all releases except `keep` and running ones. Not called during a build of the app. */
  pruneReleases(appId: string, keep: number[], signal: AbortSignal): Promise<void>;
  /** Stops all instances in the same way, ends commands, and removes them, builds and files of the app. */
  removeApp(appId: string, signal: AbortSignal): Promise<void>;
  /** What all running instances use. Cheap: it is called several times a minute. */
  usage(signal: AbortSignal): Promise<InstanceUsage[]>;
  /** The disk space that an owner uses. Engines that cannot measure it have no such function. */
  usedBytes?(owner: OwnerApps, signal: AbortSignal): Promise<number>;
  /** Removes what an owner's builds have left to make the next ones faster, unless a build uses it. */
  removeCaches?(ownerId: string): Promise<void>;
  /** Calls `changed` when an instance changes without a call, for example exits. Returns a function that stops watching. */
  watch(changed: (appId: string) => void): () => void;
};
