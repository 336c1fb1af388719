import { dirname } from 'node:path';
import type { Identity } from '../processes/identity.ts';
import { hasOwnNetwork, type Mount, type NetworkAccess, type SandboxedCommand } from './sandbox.ts';
import type { SystemView } from './system-view.ts';

/** Descriptors that bubblewrap inherits. */
const DESCRIPTORS = {
  options: 3,
  /** Bubblewrap writes the pid of the first process of the sandbox to it. */
  info: 4,
  /** The first process waits until it can read from it. */
  block: 5,
  passwd: 6,
  group: 7,
  seccomp: 8,
  /** Bubblewrap writes the exit code to it. */
  status: 9,
} as const;

/** Private names of the project; see `private-names.ts`. */
const NAMES_FOLDER = '/run/longshore';

/** What the options depend on besides the command. */
export type SandboxView = {
  system: SystemView;
  /** Holds `hosts` and `resolv.conf`. Undefined: the ones of the machine. */
  namesFolder: string | undefined;
  /** Folders of the control group, at the paths where runtimes look for their limits. */
  groupFolders: string[];
  /** Whether the sandbox ends with the server. */
  endsWithServer: boolean;
};

export type SandboxContents = Pick<SandboxedCommand, 'links' | 'network'> & { mounts: Mount[] };

/**
 * The options of bubblewrap for a command. They are passed through a descriptor, so that the app does not see the paths of the
 * machine in the command line of its first process.
 */
export function bubblewrapOptions(
  { mounts, links = [], network }: SandboxContents,
  { system, namesFolder, groupFolders, endsWithServer }: SandboxView,
): string[] {
  const isNetworkShared = network.kind === 'host';
  return [
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--new-session'],
    ...(network.kind === 'none' ? ['--unshare-net'] : []),
    ...(endsWithServer ? ['--die-with-parent'] : []),
    ...['--hostname', 'app', '--clearenv', '--setenv', 'PATH', '/usr/bin:/bin'],
    ...['--info-fd', String(DESCRIPTORS.info), '--block-fd', String(DESCRIPTORS.block)],
    ...['--json-status-fd', String(DESCRIPTORS.status)],
    ...['--seccomp', String(DESCRIPTORS.seccomp)],
    ...['--cap-drop', 'ALL'],
    ...['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name]),
    ...['--dir', '/etc', '--dir', '/run', '--dir', '/var'],
    ...system.folders.flatMap((path) => [...parentsOf(path), '--ro-bind', path, path]),
    ...system.links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...['--perms', '0644', '--file', String(DESCRIPTORS.passwd), '/etc/passwd'],
    ...['--perms', '0644', '--file', String(DESCRIPTORS.group), '/etc/group'],
    ...nameOptions(isNetworkShared ? undefined : namesFolder),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['/dev/shm', '/tmp']
      .filter((path) => !mounts.some(({ target }) => target === path))
      .flatMap(temporaryFolder),
    // Nothing can be mounted behind a link.
    ...(mounts.some(({ target }) => target.startsWith('/var/tmp/'))
      ? temporaryFolder('/var/tmp')
      : ['--symlink', '/tmp', '/var/tmp']),
    ...groupFolders.flatMap((path) => [...parentsOf(path), '--ro-bind', path, path]),
    ...mounts.flatMap(mountOptions),
    ...links.flatMap(({ path, target }) => [...parentsOf(path), '--symlink', target, path]),
    ...['--remount-ro', '/', '--chdir', '/'],
  ];
}

function temporaryFolder(path: string): string[] {
  return ['--perms', '1777', '--tmpfs', path];
}

function nameOptions(namesFolder: string | undefined): string[] {
  const nsswitch = ['--ro-bind-try', '/etc/nsswitch.conf', '/etc/nsswitch.conf'];
  if (namesFolder === undefined) {
    return ['/etc/hosts', '/etc/resolv.conf', '/etc/nsswitch.conf'].flatMap((path) => [
      '--ro-bind-try',
      path,
      path,
    ]);
  }
  return [
    ...['--dir', NAMES_FOLDER, '--ro-bind', namesFolder, NAMES_FOLDER],
    ...['--symlink', `${NAMES_FOLDER}/hosts`, '/etc/hosts'],
    ...['--symlink', `${NAMES_FOLDER}/resolv.conf`, '/etc/resolv.conf'],
    ...nsswitch,
  ];
}

function mountOptions({ source, target, isWritable }: Mount): string[] {
  return [...parentsOf(target), isWritable ? '--bind' : '--ro-bind', source, target];
}

/** Bubblewrap creates missing parents accessible to root only. */
function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === '/' ? [] : [...parentsOf(parent), '--dir', parent];
}

/**
 * The command line that waits for the options. A network of its own is created before, so that it can be connected while the
 * options are not known yet.
 */
export function bubblewrapArgv(
  access: NetworkAccess,
  identity: Identity,
): [program: string, ...args: string[]] {
  const argv = ['--args', String(DESCRIPTORS.options), '--', ...dropRights(identity)];
  return hasOwnNetwork(access) ? ['unshare', '--net', '--', 'bwrap', ...argv] : ['bwrap', ...argv];
}

/**
 * With this limit of a byte the kernel makes no core dump at all. With 0 it still passes one to a program of the machine, which
 * runs as root and reads what a hostile program has prepared, where `core_pattern` names one.
 */
const NO_CORE_DUMP = ['prlimit', '--core=1', '--'];

/**
 * The programs between bubblewrap and the user's program: all rights are dropped, then `sh` reads the start script. What has to
 * hold for every program happens before, because variables of the user can change what programs do after that.
 */
function dropRights({ uid, gid }: Identity): string[] {
  return [
    ...['setpriv', '--reuid', String(uid), '--regid', String(gid), '--clear-groups'],
    ...['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--'],
    ...NO_CORE_DUMP,
    'sh',
  ];
}

/** The user and group of the program, besides `root` and `nobody`, so that programs find their own name. */
export function accountFiles({ uid, gid }: Identity, home: string) {
  const users = [
    `app:x:${uid}:${gid}:app:${home}:/bin/sh`,
    'root:x:0:0:root:/root:/usr/sbin/nologin',
    'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
  ];
  const groups = [`app:x:${gid}:`, 'root:x:0:', 'nogroup:x:65534:'];
  return { passwd: `${users.join('\n')}\n`, group: `${groups.join('\n')}\n` };
}
