import { DEFAULT_STOP_GRACE_SECONDS } from '@longshore/contract';
import type { SourcePolicy } from '../../build/source-policy.ts';
import type { ConfinementTools } from '../../processes/confine.ts';
import type { ResourceLimits } from '../../processes/control-groups/control-group-files.ts';
import type { ControlGroups } from '../../processes/control-groups/control-groups.ts';
import { type AppDisks, DEFAULT_DISK_BYTES } from '../../sandbox/disk/app-disks.ts';
import type { detectIsolation, Isolation } from '../../sandbox/isolation.ts';
import type { PrivateNames } from '../../sandbox/network/private-names.ts';
import type { NetworkSettings, openSandbox } from '../../sandbox/open-sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { BUILD_LIMITS } from '../build-limits.ts';
import type { DiskGuard } from '../disk-guard.ts';
import type { LogSink } from '../log-sink.ts';
import type { SourceCredentials } from '../source-credentials.ts';
import type { Identities } from './identities.ts';

export type EngineLimits = {
  fetchMs: number;
  checkoutBytes: number;
  checkoutFiles: number;
  buildMs: number;
  listenTimeoutMs: number;
  /** Time between SIGTERM and SIGKILL, unless a release has a setting. */
  graceMs: number;
  /** Resource limits of a build. Those of an instance are the size of its release. */
  build: ResourceLimits;
  /** Size of the disk of an isolated app. */
  diskBytes: number;
};

export const DEFAULT_LIMITS: EngineLimits = {
  fetchMs: 5 * 60_000,
  checkoutBytes: 1024 ** 3,
  checkoutFiles: 200_000,
  buildMs: 15 * 60_000,
  listenTimeoutMs: 60_000,
  graceMs: DEFAULT_STOP_GRACE_SECONDS * 1_000,
  build: BUILD_LIMITS,
  diskBytes: DEFAULT_DISK_BYTES,
};

/** What the wiring provides. */
export type ProcessEngineDeps = {
  /** The users of apps can pass through this folder. */
  dataDir: string;
  toolchain: { nodePath: string; npmCliPath: string; binDir: string };
  logs: LogSink;
  /** Writes to the server log. */
  logInfo(line: string): void;
  logError(error: unknown): void;
  clock: { now(): number };
  /** Only root can run every app as a separate user. */
  isRoot: boolean;
  allowLocalSources: boolean;
  /** Access to private sources. */
  credentials: SourceCredentials;
  /** For the networks of isolated apps. */
  network: NetworkSettings;
  /** Whether this machine can isolate apps. */
  detectIsolation?: typeof detectIsolation;
  limits?: Partial<EngineLimits>;
  /** Finds out what this machine supports. */
  openSandbox?: typeof openSandbox;
};

/** What isolates apps from each other and from the machine. */
export type Isolated = {
  sandbox: Sandbox;
  disks: AppDisks;
  names: PrivateNames;
  guard: DiskGuard;
};

/** The dependencies of all modules of this engine. */
export type EngineDeps = Omit<ProcessEngineDeps, 'limits'> & {
  limits: EngineLimits;
  identities: Identities;
  /** Whether apps are protected from each other. */
  isolation: Isolation;
  /** Whether every app runs as a separate user. */
  hasOwnIdentities: boolean;
  confinement: ConfinementTools;
  /** Undefined: apps are only separated by their users, or not at all. */
  isolated: Isolated | undefined;
  /** Undefined when control groups are not available. */
  groups: ControlGroups | undefined;
  closeSandbox(): Promise<void>;
  resolve: SourcePolicy['resolve'];
  /** Path of the static file server, readable by every app. */
  staticServer: string;
  /** Path of the git configuration for local sources, which allows repositories of other users. */
  localGitConfig: string;
};
