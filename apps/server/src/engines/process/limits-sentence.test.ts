import { expect, it } from 'vitest';
import { limitsSentence } from './limits-sentence.ts';

it.each([
  [true, true, true, 'Apps are limited in memory, CPU and processes by control groups'],
  [
    false,
    true,
    true,
    'This machine gives us no control groups: apps are not limited in CPU, and in memory and processes only roughly',
  ],
  [
    false,
    false,
    true,
    'This machine gives us no control groups: apps are not limited in CPU and processes, and in memory only roughly',
  ],
  [
    false,
    true,
    false,
    'This machine gives us no control groups: apps are not limited in CPU, memory and processes',
  ],
])(
  'tells the operator which limits hold (%s, %s, %s)',
  (hasGroups, hasOwnIdentities, hasPrlimit, expected) => {
    expect(limitsSentence({ hasGroups, hasOwnIdentities, hasPrlimit })).toBe(expected);
  },
);
