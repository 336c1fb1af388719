import { accessSync, constants } from 'node:fs';
import type { Command } from '../processes/command.ts';
import { run } from '../processes/run.ts';
import { rulesetText } from './network/ruleset.ts';
import { findTool, missingTools, packagesOf, type Tool } from './tools.mjs';

/**
 * Whether an engine can protect the apps of several accounts from each other. `missing`: sentences for operators, at least
 * one. `packages`: what to install on Debian or Ubuntu.
 */
export type Isolation =
  | { kind: 'isolated' }
  | { kind: 'not-isolated'; missing: string[]; packages: string[] };

/** What the process engine has found out about the machine. `diskProblem`: why disks cannot be limited, as a sentence. */
export type Machine = {
  isRoot: boolean;
  hasControlGroups: boolean;
  hasIdRange: boolean;
  diskProblem: Promise<string | undefined>;
};

/** Results of all probes. Undefined: not tried, because something that the probe needs is missing. */
export type Probes = {
  platform: NodeJS.Platform;
  isRoot: boolean;
  missingTools: readonly Tool[];
  hasControlGroups: boolean;
  hasIdRange: boolean;
  diskProblem: string | undefined;
  createsNamespaces: boolean | undefined;
  filtersTraffic: boolean | undefined;
  createsNetworkDevices: boolean | undefined;
  hasWritableSettings: boolean;
};

const LIST = new Intl.ListFormat('en');
const PROBE_TIMEOUT_MS = 5_000;
/** Bubblewrap fails if another program removes one of the machine's mounts at the same moment. */
const PROBE_ATTEMPTS = 3;

/** Tries what isolation needs. Changes nothing on the machine: rules are only checked, and the device is in a namespace of its own. */
export async function detectIsolation(machine: Machine): Promise<Isolation> {
  const { isRoot, hasControlGroups, hasIdRange } = machine;
  const { platform } = process;
  const canProbe = platform === 'linux' && isRoot;
  const probe = (command: Command['argv']) =>
    canProbe ? succeeds(command) : Promise.resolve(undefined);
  const [diskProblem, createsNamespaces, filtersTraffic, createsNetworkDevices] = await Promise.all(
    [machine.diskProblem, probe(NAMESPACES), probe(FILTER), probe(NETWORK_DEVICES)],
  );
  return isolationOf({
    platform,
    isRoot,
    missingTools: missingTools(),
    hasControlGroups,
    hasIdRange,
    diskProblem,
    createsNamespaces,
    filtersTraffic,
    createsNetworkDevices,
    hasWritableSettings: isWritable(NETWORK_SETTING),
  });
}

export function isolationOf(probes: Probes): Isolation {
  const missing = missingParts(probes);
  if (missing.length === 0) return { kind: 'isolated' };
  return { kind: 'not-isolated', missing, packages: packagesOf(probes.missingTools) };
}

/** Lines for the operator, in the summary of a start and in the server log. */
export function describeIsolation(isolation: Isolation, trustEverybody: boolean): string[] {
  if (isolation.kind === 'isolated')
    return ['Apps are isolated from each other and from this machine'];
  const who = trustEverybody ? 'Every account may deploy' : 'Only operators may deploy';
  return [`Apps are not isolated. ${who}.`, ...isolation.missing];
}

/** What isolation lacks on a machine, as sentences. Nothing: apps can be isolated. */
export function missingParts(probes: Probes): string[] {
  if (probes.platform !== 'linux') return ['Isolation needs Linux.'];
  const parts: [isMissing: boolean, sentence: string][] = [
    [!probes.isRoot, 'Longshore does not run as root.'],
    [probes.missingTools.length > 0, missingToolsSentence(probes.missingTools)],
  ];
  // Without root or a tool nothing else can work, and says nothing about the machine.
  if (!parts.some(([isMissing]) => isMissing)) {
    parts.push(
      [probes.createsNamespaces === false, 'bubblewrap cannot create namespaces on this machine.'],
      [probes.filtersTraffic === false, 'nftables cannot load rules on this machine.'],
      [
        probes.createsNetworkDevices === false,
        'Virtual network devices (veth) cannot be created on this machine.',
      ],
      [
        !probes.hasWritableSettings,
        'Network settings (/proc/sys/net) are read-only on this machine.',
      ],
      [!probes.hasControlGroups, 'Control groups are not writable on this machine.'],
      [!probes.hasIdRange, 'This container has too few user ids to give each app its own.'],
      [probes.diskProblem !== undefined, probes.diskProblem ?? ''],
    );
  }
  return parts.filter(([isMissing]) => isMissing).map(([, sentence]) => sentence);
}

function missingToolsSentence(tools: readonly Tool[]): string {
  const programs = tools.map(({ program }) => program);
  const packages = packagesOf(tools);
  const [are, name] = [programs.length === 1 ? 'is' : 'are', packages.length === 1 ? '' : 's'];
  return `${LIST.format(programs)} ${are} missing: install the package${name} ${LIST.format(packages)}.`;
}

/** As apps are started: all namespaces, then another user without privileges. */
const NAMESPACES: Command['argv'] = [
  'bwrap',
  ...['--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--'],
  ...['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--no-new-privs'],
  ...['--bounding-set=-all', '--inh-caps=-all', '--', 'true'],
];

/** The rules of a network without apps. */
const FILTER: Command['argv'] = [
  'nft',
  '--check',
  rulesetText({
    installation: 'probe',
    // 10.213.0.0/16
    network: { base: 0x0ad50000, bits: 16 },
    allowedNetworks: [],
    edge: { host: '127.0.0.1', ports: [80] },
    resolvers: { nameservers: [], forwardTo: '127.0.0.53' },
    builders: {
      reachesPrivateNetworks: true,
      forwardedPorts: [5000],
      registries: [{ address: '10.0.0.5', port: 5000 }],
    },
    members: [],
  }),
];

const NETWORK_DEVICES: Command['argv'] = [
  ...(['unshare', '--net', '--', 'ip'] as const),
  ...['link', 'add', 'probe0', 'type', 'veth', 'peer', 'name', 'probe1'],
];

/** Read-only in most containers, also for root. */
const NETWORK_SETTING = '/proc/sys/net/ipv4/ip_forward';

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Undefined: the program is not installed. */
async function succeeds([program, ...args]: Command['argv']): Promise<boolean | undefined> {
  const path = findTool(program);
  if (path === undefined) return undefined;
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
  for (let attempt = 1; attempt <= PROBE_ATTEMPTS; attempt += 1) {
    const outcome = await run(
      { argv: [path, ...args], cwd: '/', env },
      { signal: new AbortController().signal, timeoutMs: PROBE_TIMEOUT_MS },
    );
    if (outcome.kind === 'exited' && outcome.code === 0) return true;
  }
  return false;
}
