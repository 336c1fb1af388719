import { expect, it } from 'vitest';
import { desired, release } from '../../test/reconciler/plan-fixtures.ts';
import { isStillDesired, type ReleaseWork } from './interruption.ts';

const scaled = { ...desired, generation: 4, replicas: 3 };
const hibernated = { ...desired, generation: 4, instances: 0 };

it.each<[string, ReleaseWork['kind'], Parameters<typeof isStillDesired>[1], boolean]>([
  ['a build goes on when the app is scaled', 'build', { desired: scaled, last: release(2) }, true],
  ['a command goes on when it is scaled', 'command', { desired: scaled, last: release(2) }, true],
  ['a build ends when it hibernates', 'build', { desired: hibernated, last: release(2) }, false],
  ['a command goes on then', 'command', { desired: hibernated, last: release(2) }, true],
  [
    'a build ends when another release is desired',
    'build',
    { desired: { ...desired, desiredHash: 'newer' }, last: release(2) },
    false,
  ],
  [
    'a command ends then, too',
    'command',
    { desired: { ...hibernated, desiredHash: 'newer' }, last: release(2) },
    false,
  ],
  [
    'a command ends when the app is deleted',
    'command',
    { desired: { ...desired, isDeleted: true }, last: release(2) },
    false,
  ],
  [
    'a build ends when it is cancelled',
    'build',
    { desired: scaled, last: release(2, { outcome: 'cancelled' }) },
    false,
  ],
  ['a command ends with its release', 'command', { desired: scaled, last: release(3) }, false],
])('%s', (_, kind, change, isDesired) => {
  expect(isStillDesired({ kind, release: release(2) }, change)).toBe(isDesired);
});
