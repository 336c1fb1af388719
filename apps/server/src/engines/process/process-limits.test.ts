import { MAX_REPLICAS } from '@longshore/contract';
import { expect, it } from 'vitest';
import type { ControlGroups } from '../../processes/control-groups/control-groups.ts';
import { DEFAULT_LIMITS } from './deps.ts';
import { describeLimits, programLimits } from './process-limits.ts';

it.each([
  [true, true, true, 'Apps are limited in memory, CPU and processes by control groups'],
  [
    false,
    true,
    true,
    'No control groups available: CPU of apps is not limited, memory and processes only approximately',
  ],
  [
    false,
    false,
    true,
    'No control groups available: CPU and processes of apps are not limited, memory only approximately',
  ],
  [
    false,
    true,
    false,
    'No control groups available: CPU, memory and processes of apps are not limited',
  ],
])(
  'describes the active limits (control groups: %s, separate users: %s, prlimit: %s)',
  (hasGroups, hasOwnIdentities, hasPrlimit, expected) => {
    expect(describeLimits({ hasGroups, hasOwnIdentities, hasPrlimit })).toBe(expected);
  },
);

it.each<
  [what: string, machine: Parameters<typeof programLimits>[1], processes: number | undefined]
>([
  ['control groups limit each instance', machine({ groups: {} as ControlGroups }), undefined],
  ['all apps share a user', machine({ hasOwnIdentities: false }), undefined],
  [
    'the user of an app runs the instances of two releases and a build',
    machine({}),
    MAX_REPLICAS * 2 * 256 + DEFAULT_LIMITS.build.processes,
  ],
])('limits the processes of a user to what it needs where %s', (_, machine, processes) => {
  const size = { memoryBytes: 512 * 1024 ** 2, cpus: 0.5, processes: 256 };
  expect(programLimits(size, machine).processes).toBe(processes);
});

function machine(changes: Partial<Parameters<typeof programLimits>[1]>) {
  return { groups: undefined, limits: DEFAULT_LIMITS, hasOwnIdentities: true, ...changes };
}
