import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  describeIsolation,
  detectIsolation,
  isolationOf,
  type Machine,
  missingParts,
  type Probes,
} from './isolation.ts';
import { SANDBOX_TOOLS } from './tools.mjs';

const CAPABLE: Probes = {
  platform: 'linux',
  isRoot: true,
  missingTools: [],
  hasControlGroups: true,
  hasIdRange: true,
  diskProblem: undefined,
  createsNamespaces: true,
  filtersTraffic: true,
  createsNetworkDevices: true,
  hasWritableSettings: true,
};

const NOT_ROOT = {
  kind: 'not-isolated' as const,
  missing: ['Longshore does not run as root.'],
  packages: [],
};
const tools = (...programs: string[]) =>
  SANDBOX_TOOLS.filter(({ program }) => programs.includes(program));

describe('missingParts', () => {
  it.each<[string, Partial<Probes>, string[]]>([
    ['a capable machine', {}, []],
    ['another system', { platform: 'darwin', isRoot: false }, ['Isolation needs Linux.']],
    [
      'a server without root, whose probes were not tried',
      { isRoot: false, createsNamespaces: undefined, hasControlGroups: false, hasIdRange: false },
      ['Longshore does not run as root.'],
    ],
    [
      'one missing program',
      { missingTools: tools('bwrap'), createsNamespaces: undefined },
      ['bwrap is missing: install the package bubblewrap.'],
    ],
    [
      'neither root nor programs',
      { isRoot: false, missingTools: tools('bwrap', 'nft', 'ip') },
      [
        'Longshore does not run as root.',
        'bwrap, nft, and ip are missing: install the packages bubblewrap, nftables, and iproute2.',
      ],
    ],
    [
      'a container that forbids everything',
      {
        createsNamespaces: false,
        filtersTraffic: false,
        createsNetworkDevices: false,
        hasWritableSettings: false,
        hasControlGroups: false,
        hasIdRange: false,
        diskProblem: 'Disks cannot be mounted.',
      },
      [
        'bubblewrap cannot create namespaces on this machine.',
        'nftables cannot load rules on this machine.',
        'Virtual network devices (veth) cannot be created on this machine.',
        'Network settings (/proc/sys/net) are read-only on this machine.',
        'Control groups are not writable on this machine.',
        'This container has too few user ids to give each app its own.',
        'Disks cannot be mounted.',
      ],
    ],
    ['no disks', { diskProblem: 'No loop devices.' }, ['No loop devices.']],
  ])('of %s', (_, probes, sentences) => {
    expect(missingParts({ ...CAPABLE, ...probes })).toEqual(sentences);
  });

  it('names a part for every probe that fails alone', () => {
    const failures: Partial<Probes>[] = [
      { platform: 'win32' },
      { isRoot: false },
      ...SANDBOX_TOOLS.map((tool) => ({ missingTools: [tool] })),
      { createsNamespaces: false },
      { filtersTraffic: false },
      { createsNetworkDevices: false },
      { hasWritableSettings: false },
      { hasControlGroups: false },
      { hasIdRange: false },
      { diskProblem: 'No disks.' },
    ];
    for (const failure of failures)
      expect(missingParts({ ...CAPABLE, ...failure }), JSON.stringify(failure)).toHaveLength(1);
  });
});

it('lists each package to install once', () => {
  expect(
    isolationOf({ ...CAPABLE, missingTools: tools('bwrap', 'mount', 'losetup') }),
  ).toMatchObject({ kind: 'not-isolated', packages: ['bubblewrap', 'mount'] });
});

it.each([
  [
    { kind: 'isolated' } as const,
    false,
    ['Apps are isolated from each other and from this machine'],
  ],
  [NOT_ROOT, false, ['Apps are not isolated. Only operators may deploy.', ...NOT_ROOT.missing]],
  [NOT_ROOT, true, ['Apps are not isolated. Every account may deploy.', ...NOT_ROOT.missing]],
])('describes %j to operators, with everybody trusted: %s', (isolation, isTrusted, lines) => {
  expect(describeIsolation(isolation, isTrusted)).toEqual(lines);
});

describe('detectIsolation', () => {
  const machine: Machine = {
    isRoot: process.getuid?.() === 0,
    hasControlGroups: true,
    hasIdRange: true,
    diskProblem: Promise.resolve(undefined),
  };

  it.skipIf(!machine.isRoot)('finds that root can isolate apps on this machine', async () => {
    expect(await detectIsolation(machine)).toEqual({ kind: 'isolated' });
    expect(await readdir('/sys/class/net')).not.toContain('probe0');
  });

  it('probes nothing without root', async () => {
    expect(await detectIsolation({ ...machine, isRoot: false })).toEqual(NOT_ROOT);
  });

  it('includes the problem of disks', async () => {
    const diskProblem = Promise.resolve('Loop devices cannot be used.');
    const isolation = await detectIsolation({ ...machine, isRoot: true, diskProblem });
    expect(isolation).toMatchObject({ missing: expect.arrayContaining([await diskProblem]) });
  });
});
