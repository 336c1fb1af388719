import { expect, it } from 'vitest';
import { describeLimits } from './process-limits.ts';

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
