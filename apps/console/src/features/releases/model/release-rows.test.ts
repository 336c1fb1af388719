import { expect, it } from 'vitest';
import { anApp, aRelease } from '../../../../test/resources.ts';
import { releaseRows, unfinishedOutcome } from './release-rows.ts';

const RED = '1'.repeat(40);
const BLUE = '2'.repeat(40);
const { values } = aRelease();
const pinned = { ...values, source: { ...values.source, ref: RED } };

const look = { viewerId: 'u1', unfinished: 'in-progress' } as const;

function shown(...releases: Parameters<typeof aRelease>[0][]) {
  const made = releases.map((release) => aRelease(release));
  return releaseRows(made, look).map(({ outcome, what, canRollBack }) => [
    outcome,
    what,
    canRollBack,
  ]);
}

it('tells the live release from those it replaced, to which one can go back', () => {
  expect(shown({ number: 2, revision: BLUE }, { number: 1, revision: RED })).toEqual([
    ['live', 'New commit', false],
    ['replaced', 'First release', true],
  ]);
});

it('offers the release that serves while the newest one failed or is under way', () => {
  const failed = { number: 2, outcome: 'failed' as const, envVersions: { GREETING: 2 } };
  expect(shown(failed, { number: 1 })).toEqual([
    ['failed', 'Changed GREETING', false],
    ['live', 'First release', true],
  ]);
  expect(shown({ number: 2, outcome: undefined, revision: undefined }, { number: 1 })).toEqual([
    ['in-progress', 'Redeployed', false],
    ['live', 'First release', true],
  ]);
});

it('says when a release went back, and does not offer what is there already', () => {
  expect(
    shown(
      { number: 3, revision: RED, buildReusedFrom: 1, values: pinned },
      { number: 2, revision: BLUE },
      { number: 1, revision: RED },
    ),
  ).toEqual([
    ['live', 'Rolled back to release 1', false],
    ['replaced', 'New commit', true],
    ['replaced', 'First release', false],
  ]);
});

it('offers only what is kept', () => {
  const numbers = [8, 7, 6, 5, 4, 3];
  const rows = shown(...numbers.map((number) => ({ number, revision: `${number}`.repeat(40) })));
  expect(rows.map(([, , canRollBack]) => canRollBack)).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
});

it('names what changed, variables without their values', () => {
  const ports = [{ number: 8080, expose: true }];
  const [row] = releaseRows(
    [
      aRelease({ number: 2, values: { ...values, ports }, envVersions: { SIZE: 2 } }),
      aRelease({ number: 1, envVersions: { COLOUR: 1 } }),
    ],
    look,
  );
  expect(row?.what).toBe('Changed ports, SIZE, COLOUR');
});

it('gives the reason of a failure in the words of the console, and a short commit', () => {
  const message = 'The build job failed.';
  const [row] = releaseRows([aRelease({ outcome: 'failed', message, revision: RED })], look);
  expect(row).toMatchObject({
    reason: 'Failed to build from source, check logs for details',
    revision: '1111111',
  });
});

it.each([
  ['syncing', 1, 'in-progress'],
  ['backoff', 1, 'retrying'],
  ['synced', 0, 'paused'],
  ['backoff', 0, 'paused'],
] as const)(
  'calls what is under way in an app that is %s with %i instances %s',
  (status, instances, outcome) => {
    const app = anApp({ status, instances });
    const [row] = releaseRows([aRelease({ outcome: undefined })], {
      ...look,
      unfinished: unfinishedOutcome(app),
    });
    expect(row?.outcome).toBe(outcome);
  },
);

it('says who went back instead of repeating to what', () => {
  const cause = { kind: 'rollback', to: 1, person: { userId: 'u1', name: 'Ada' } } as const;
  const [row] = releaseRows([aRelease({ number: 2, buildReusedFrom: 1, cause }), aRelease()], look);
  expect([row?.what, row?.who]).toEqual(['', 'Rolled back to #1 by you']);
});
