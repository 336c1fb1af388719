import { existsSync } from 'node:fs';
import { EngineFailure } from '../engines/failure.ts';
import type { Command } from '../processes/command.ts';
import { type ConfinementTools, confineArgv } from '../processes/confine.ts';
import type { Identity } from '../processes/identity.ts';
import { run } from '../processes/run.ts';
import { type Mount, type NetworkAccess, type Sandbox, SandboxFailed } from '../sandbox/sandbox.ts';
import type { GitRunner } from './git-checkout.ts';
import { type FetchedSource, gitEnv } from './git-command.ts';
import { GIT_DATA_BYTES, GIT_RESOURCES } from './git-limits.ts';
import type { LocalRepository } from './local-repository.ts';
import type { SourceAccess } from './source-access.ts';

/** How all commands of one fetch run. */
export type GitRunning = {
  /** Undefined when this machine has none. Git is limited as far as possible then. */
  sandbox: Sandbox | undefined;
  /** Whether a firewall keeps programs with a network of their own from the internet. Git uses the server's network then. */
  isNetworkBlocked?: boolean;
  /** Name of the control group of git in the sandbox. */
  group: string;
  /** HOME of git. */
  home: string;
  confinement: ConfinementTools;
  /** Path of the git configuration for local sources, which allows repositories of other users. */
  localGitConfig: string;
  limits: { checkoutBytes: number };
  /** Environment variables that identify its processes. */
  marks: Record<string, string>;
};

/** What one command of git may use. */
export type GitRights = {
  identity: Identity | undefined;
  /** The checkout, if it exists already. */
  folder?: string | undefined;
  /** Another folder that files are written to. */
  workFolder?: string | undefined;
  /** The source, for commands that read it. */
  source?: FetchedSource & { local: LocalRepository | undefined };
  access?: SourceAccess | undefined;
};

/** `env` of other systems has no such option. */
const IGNORES_SIGNALS = process.platform === 'linux';
const GROUP_PREFIX = 'git-';
const GLOBAL_KNOWN_HOSTS = '/etc/ssh/ssh_known_hosts';

export function gitGroupName(appId: string): string {
  return `${GROUP_PREFIX}${appId}`;
}

export function isGitGroup(name: string): boolean {
  return name.startsWith(GROUP_PREFIX);
}

/** A too large file is an error that git reports, instead of a signal that ends its helpers without a message. */
function reportingFileSize(argv: Command['argv']): Command['argv'] {
  return IGNORES_SIGNALS ? ['env', '--ignore-signal=XFSZ', '--', ...argv] : argv;
}

export function createGitRunner(rights: GitRights, running: GitRunning): GitRunner {
  const { identity, folder, source, access } = rights;
  const { sandbox, group, home, localGitConfig, marks, confinement, limits } = running;
  const local = source?.local;
  const processLimits = { fileBytes: limits.checkoutBytes, dataBytes: GIT_DATA_BYTES };
  const env = {
    ...gitEnv(home, local === undefined ? '/dev/null' : localGitConfig),
    ...marks,
    ...access?.env,
  };
  return (argv, options) => {
    const onLine = (line: string) => options.onLine?.(readable(line, rights));
    const command = {
      argv: confineArgv(reportingFileSize(argv), processLimits, confinement),
      cwd: folder ?? '/',
      env,
      identity,
    };
    if (sandbox === undefined) {
      return run({ ...command, inheritedFds: local?.inherited.fds }, { ...options, onLine });
    }
    const sandboxed = {
      ...command,
      argv: local === undefined ? command.argv : local.sandboxed.wrap(command.argv),
      mounts: mountsFor(rights, running),
      network: networkFor(source, running),
      group,
      limits: GIT_RESOURCES,
    };
    return sandbox.run(sandboxed, { ...options, onLine }).catch((error: unknown) => {
      if (options.signal.aborted || !(error instanceof SandboxFailed)) throw error;
      throw sandboxFailure(error, local);
    });
  };
}

/** A local repository may be moved until it is mounted. Everything else is a fault of the machine. */
function sandboxFailure(cause: SandboxFailed, local: LocalRepository | undefined): EngineFailure {
  const isMissing = (source: string) =>
    cause.lines.some((line) => line.includes(source) && /no such file/i.test(line));
  if (local?.sandboxed.mounts.some(({ source }) => isMissing(source))) {
    return new EngineFailure('repository-not-found', [], { cause });
  }
  const evidence = ['git could not be started in its sandbox', ...cause.lines];
  return new EngineFailure('engine-failed', evidence, { cause });
}

/** The address of the source for git. */
export function addressForGit(
  { url, local }: { url: string; local: LocalRepository | undefined },
  sandbox: Sandbox | undefined,
): string {
  if (local === undefined) return url;
  return sandbox === undefined ? local.inherited.url : local.sandboxed.url;
}

function mountsFor(
  { folder, workFolder, source, access }: GitRights,
  { localGitConfig }: GitRunning,
): Mount[] {
  const writable = [folder, workFolder].filter((path) => path !== undefined);
  const isSsh = source?.address.kind === 'ssh';
  const readOnly = [
    ...(source?.local === undefined ? [] : [localGitConfig]),
    ...(isSsh && existsSync(GLOBAL_KNOWN_HOSTS) ? [GLOBAL_KNOWN_HOSTS] : []),
    ...(access?.folders ?? []),
  ];
  return [
    ...writable.map((path) => ({ source: path, target: path, isWritable: true })),
    ...readOnly.map((path) => ({ source: path, target: path, isWritable: false })),
    ...(source?.local?.sandboxed.mounts ?? []),
  ];
}

/** Without pinned addresses the operator has allowed sources in private networks. */
function networkFor(
  source: GitRights['source'],
  { isNetworkBlocked = false }: GitRunning,
): NetworkAccess {
  if (source === undefined || source.local !== undefined) return { kind: 'none' };
  if (isNetworkBlocked || source.pinned.length === 0) return { kind: 'host' };
  return { kind: 'isolated', projectId: undefined };
}

function readable(line: string, { source, access }: GitRights): string {
  const clear = source?.local?.clarify(line) ?? line;
  return access?.hide(clear) ?? clear;
}
