import type { SourcePolicy } from '../../build/source-policy.ts';
import type { ConfinementTools } from '../../processes/confine.ts';
import type { ResourceLimits } from '../../processes/control-groups/control-group-files.ts';
import type { ControlGroups } from '../../processes/control-groups/control-groups.ts';
import type { LogSink } from '../log-sink.ts';
import type { SourceCredentials } from '../source-credentials.ts';
import { BUILD_LIMITS, TIER_LIMITS } from '../tier.ts';
import type { Identities } from './identities.ts';

export type EngineLimits = {
  fetchMs: number;
  checkoutBytes: number;
  checkoutFiles: number;
  buildMs: number;
  listenTimeoutMs: number;
  /** How long an app may take to stop when asked. */
  graceMs: number;
  /** What an instance may use, and a build. */
  instance: ResourceLimits;
  build: ResourceLimits;
};

export const DEFAULT_LIMITS: EngineLimits = {
  fetchMs: 5 * 60_000,
  checkoutBytes: 1024 ** 3,
  checkoutFiles: 200_000,
  buildMs: 15 * 60_000,
  listenTimeoutMs: 60_000,
  graceMs: 10_000,
  instance: TIER_LIMITS,
  build: BUILD_LIMITS,
};

/** What `main.ts` hands to the engine. */
export type ProcessEngineDeps = {
  /** A folder that the users of apps can pass through. */
  dataDir: string;
  toolchain: { nodePath: string; npmCliPath: string; binDir: string };
  logs: LogSink;
  /** Into the server's own log. */
  logInfo(line: string): void;
  clock: { now(): number };
  /** Only root can give every app a user of its own. */
  isRoot: boolean;
  allowLocalSources: boolean;
  /** What lets private sources be read. */
  credentials: SourceCredentials;
  /** Asked where all apps share one user: whether this account's code may run at all. */
  mayRun(ownerId: string): Promise<boolean>;
  limits?: Partial<EngineLimits>;
};

/** What the parts of the engine share. */
export type EngineDeps = Omit<ProcessEngineDeps, 'limits'> & {
  limits: EngineLimits;
  identities: Identities;
  /** Whether every app has a user of its own. */
  hasOwnIdentities: boolean;
  confinement: ConfinementTools;
  /** Undefined where the machine gives us none. */
  groups: ControlGroups | undefined;
  resolve: SourcePolicy['resolve'];
  /** Readable for every app. */
  staticServer: string;
  /** Git's configuration for local sources, whoever they belong to. */
  localGitConfig: string;
};
