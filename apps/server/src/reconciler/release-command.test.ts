import { expect, it } from 'vitest';
import {
  desired,
  instance,
  planInput,
  release,
  runs,
  values,
} from '../../test/reconciler/plan-fixtures.ts';
import type { Release } from '../apps/releases.ts';
import { nextStep } from './plan.ts';
import { isReleaseCommandDue } from './release-command.ts';

const MIGRATE = 'npm run migrate';

/** Values with a release command. */
function withCommand(releaseCommand: string | undefined) {
  return { ...values, run: releaseCommand === undefined ? {} : { releaseCommand } };
}

it.each<[string, Partial<Release>, string | undefined, boolean]>([
  ['a new build', {}, MIGRATE, true],
  ['a build for which another command ran', { commandDone: 'rake' }, MIGRATE, true],
  ['a build for which it ran', { commandDone: MIGRATE }, MIGRATE, false],
  ['a rollback', { isRollback: true }, MIGRATE, false],
  ['a rollback from another command', { isRollback: true, commandDone: 'rake' }, MIGRATE, false],
  ['a release that served before', { outcome: 'live' }, MIGRATE, false],
  ['an app without one', {}, undefined, false],
  ['an app that had one', { commandDone: MIGRATE }, undefined, false],
])('the release command of %s', (_, change, command, isDue) => {
  const last = release(2, { values: withCommand(command), ...change });
  expect(isReleaseCommandDue(last)).toBe(isDue);
  const built = { built: [2], instances: [] };
  const step = nextStep(planInput({ observed: built, last }));
  if (last.outcome === undefined) expect(step.kind).toBe(isDue ? 'command' : 'start');
});

const served = { outcome: 'live', desiredHash: 'old', commandDone: MIGRATE } as const;

it.each<[string, Partial<Release>, string | undefined, string | undefined]>([
  ['keeps what its build has run', served, MIGRATE, MIGRATE],
  ['runs a changed command', served, 'rake', undefined],
  ['forgets a command that was removed', served, undefined, undefined],
  ['runs a command that was added', { ...served, commandDone: undefined }, MIGRATE, undefined],
  [
    'counts a rollback as run',
    { ...served, commandDone: undefined, isRollback: true, values: withCommand(MIGRATE) },
    MIGRATE,
    MIGRATE,
  ],
  [
    'runs a command that failed',
    { outcome: 'failed', desiredHash: 'old', values: withCommand(MIGRATE) },
    MIGRATE,
    undefined,
  ],
])('a release with an existing build %s', (_, change, command, commandDone) => {
  const last = release(1, { values: withCommand(MIGRATE), ...change });
  const step = nextStep(
    planInput({
      desired: { ...desired, values: withCommand(command) },
      observed: { built: [1], instances: [] },
      last,
      isRedeployed: false,
    }),
  );
  expect(step).toMatchObject({ kind: 'release', from: { number: 1 } });
  expect(step).toHaveProperty('commandDone', commandDone);
});

it('the release that served runs before the command of the next one', () => {
  const live = release(1, { outcome: 'live', desiredHash: 'old' });
  const last = release(2, { values: withCommand(MIGRATE) });
  const input = planInput({ observed: { built: [1, 2], instances: [] }, last, live: [live] });
  expect(nextStep(input)).toMatchObject({ kind: 'start', release: { number: 1 } });
  const running = { built: [1, 2], instances: [instance(1)] };
  expect(nextStep({ ...input, observed: running, rotation: runs('i1') })).toMatchObject({
    kind: 'command',
    release: { number: 2 },
  });
});
