import type { AllowedSource } from './source-policy.ts';

/** `isPrivate`: read with a credential, from a host with known keys. */
export type FetchedSource = AllowedSource & { isPrivate: boolean };

type Argv = readonly [program: string, ...args: string[]];

/** Neither the repository nor the configuration of this machine may run a program or prompt. */
export function gitEnv(home: string, globalConfig = '/dev/null'): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: globalConfig,
    GIT_LFS_SKIP_SMUDGE: '1',
  };
}

/** Fetches a branch, a tag or a commit with depth 1. */
export function gitFetch(source: FetchedSource, ref: string): Argv {
  return [
    'git',
    ...safeConfig(source),
    'fetch',
    '--progress',
    '--depth=1',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-commit-graph',
    ...strictUploadPack(source),
    '--',
    source.url,
    ref,
  ];
}

/** Without `--strict`, git would also try similar paths, which were not checked. */
function strictUploadPack({ address }: AllowedSource): string[] {
  return address.kind === 'file' ? ['--upload-pack=git-upload-pack --strict'] : [];
}

/** Exits with code 0 when the repository can be read. */
export function gitProbe(source: FetchedSource): Argv {
  const options = ['--quiet', ...strictUploadPack(source)];
  return ['git', ...safeConfig(source), 'ls-remote', ...options, '--', source.url, 'HEAD'];
}

/** One line for each branch, with its commit and its name. */
export function gitBranches(source: FetchedSource): Argv {
  const options = ['--quiet', '--heads', ...strictUploadPack(source)];
  return ['git', ...safeConfig(source), 'ls-remote', ...options, '--', source.url];
}

/** One line for each file and folder, with its size in the fourth column. */
export function gitSizes(): Argv {
  return ['git', ...localConfig, 'ls-tree', '-r', '-t', '--long', 'FETCH_HEAD'];
}

/** Writes the files into the repository's own folder, or into another one. */
export function gitCheckout(workTree: string | undefined): Argv {
  const place = workTree === undefined ? [] : [`--work-tree=${workTree}`];
  const options = ['--quiet', '--force', '--detach'];
  return ['git', ...localConfig, ...place, 'checkout', ...options, 'FETCH_HEAD'];
}

/** One line for each setting of a submodule. The file is read as a list of settings; none of them applies. */
export function gitSubmoduleSettings(): Argv {
  const settings = String.raw`^submodule\..*\.(path|url)$`;
  const blob = 'FETCH_HEAD:.gitmodules';
  return ['git', ...localConfig, 'config', '--blob', blob, '--get-regexp', settings];
}

/** The commit, and the seconds since 1970 when it was made. */
export function gitRevision(): Argv {
  return ['git', ...localConfig, 'show', '--no-patch', '--format=%H%n%ct', 'HEAD'];
}

/** Files that are larger than the threshold are streamed, so that their size does not matter. */
const FRUGAL = ['core.bigFileThreshold=16m', 'core.deltaBaseCacheLimit=32m', 'pack.threads=1'];

const localConfig = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'advice.detachedHead=false',
  'gc.auto=0',
  'maintenance.auto=false',
  ...FRUGAL,
].flatMap((setting) => ['-c', setting]);

function safeConfig(source: FetchedSource): string[] {
  const settings = [
    // Received objects stay in one pack, whose size the kernel limits.
    'fetch.unpackLimit=1',
    'protocol.allow=never',
    ...source.protocols.map((protocol) => `protocol.${protocol}.allow=always`),
    'http.followRedirects=false',
    'http.lowSpeedLimit=1000',
    'http.lowSpeedTime=30',
    'credential.helper=',
    'core.askPass=',
    `core.sshCommand=${sshCommand(source)}`,
    ...curlPin(source),
  ];
  return [...localConfig, ...settings.flatMap((setting) => ['-c', setting])];
}

/** Pins the checked addresses: a second DNS lookup could return a private address. */
function curlPin({ address, pinned }: AllowedSource): string[] {
  if (address.kind !== 'https' || pinned.length === 0) return [];
  return [`http.curloptResolve=${address.host}:${address.port}:${pinned.join(',')}`];
}

/**
 * Git passes this text to a shell, so it contains only constants and an address that was resolved and checked. It uses no keys
 * and no configuration of any user.
 */
function sshCommand({ pinned, isPrivate }: FetchedSource): string {
  const options = [
    'BatchMode=yes',
    ...(isPrivate ? WITH_KEY : WITHOUT_KEY),
    'IdentityFile=none',
    'ForwardAgent=no',
    'ClearAllForwardings=yes',
    'ConnectTimeout=20',
    'ServerAliveInterval=15',
    ...pinned.slice(0, 1).map((address) => `HostName=${address}`),
  ];
  return ['ssh', '-F', 'none', ...options.flatMap((option) => ['-o', option])].join(' ');
}

const WITHOUT_KEY = [
  'StrictHostKeyChecking=accept-new',
  'UserKnownHostsFile=.git/known_hosts',
  'GlobalKnownHostsFile=/etc/ssh/ssh_known_hosts',
  'IdentitiesOnly=yes',
  'IdentityAgent=none',
];

/** The environment contains the socket and the file. Quoted, so that ssh expands the variable, not the shell. */
const WITH_KEY = [
  'StrictHostKeyChecking=yes',
  "'UserKnownHostsFile=${LONGSHORE_KNOWN_HOSTS}'",
  'GlobalKnownHostsFile=none',
  'PreferredAuthentications=publickey',
  'IdentityAgent=SSH_AUTH_SOCK',
];
