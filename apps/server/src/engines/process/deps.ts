import type { GuardDeps } from '../../build/git-guard.ts';
import type { Confinement } from '../../processes/confine.ts';
import type { GroupLimits } from '../../processes/groups/group-files.ts';
import type { Groups } from '../../processes/groups/groups.ts';
import type { LogSink } from '../log-sink.ts';
import type { SourceCredentials } from '../source-credentials.ts';
import { BUILD_LIMITS, TIER_LIMITS } from '../tier.ts';
import type { Identities } from './identities.ts';

export type EngineLimits = {
  fetchMs: number;
  checkoutBytes: number;
  checkoutFiles: number;
  buildMs: number;
  answerMs: number;
  /** How long an app may take to stop when asked. */
  graceMs: number;
  /** What an instance may use, and a build. */
  instance: GroupLimits;
  build: GroupLimits;
};

export const DEFAULT_LIMITS: EngineLimits = {
  fetchMs: 5 * 60_000,
  checkoutBytes: 1024 ** 3,
  checkoutFiles: 200_000,
  buildMs: 15 * 60_000,
  answerMs: 60_000,
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
export type EngineParts = Omit<ProcessEngineDeps, 'limits'> & {
  limits: EngineLimits;
  identities: Identities;
  /** Whether every app has a user of its own. */
  hasOwnIdentities: boolean;
  confinement: Confinement;
  /** Undefined where the machine gives us none. */
  groups: Groups | undefined;
  resolve: GuardDeps['resolve'];
  /** Readable for every app. */
  staticServer: string;
  /** Git's configuration for local sources, whoever they belong to. */
  localGitConfig: string;
};
