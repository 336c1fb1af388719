import type { ReleaseCause } from '@longshore/contract';
import { expect, it } from 'vitest';
import { anApp, aRelease } from '../../../../test/resources.ts';
import { causeText, releaseRows, unfinishedOutcome } from './release-rows.ts';

const RED = '1'.repeat(40);
const BLUE = '2'.repeat(40);
const { values } = aRelease();
const pinned = { ...values, source: { ...values.source, ref: RED } };

const options = { viewerId: 'u1', unfinished: 'in-progress' } as const;

function shown(...releases: Parameters<typeof aRelease>[0][]) {
  const built = releases.map((release) => aRelease(release));
  return releaseRows(built, options).map(({ outcome, change, canRollBack }) => [
    outcome,
    change,
    canRollBack,
  ]);
}

it('distinguishes the live release from replaced ones and offers rollbacks to these', () => {
  expect(shown({ number: 2, revision: BLUE }, { number: 1, revision: RED })).toEqual([
    ['live', 'New commit', false],
    ['replaced', 'First release', true],
  ]);
});

it('offers the serving release while the newest one failed or is in progress', () => {
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

it('shows rollbacks and does not offer a rollback to the current state', () => {
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

it('offers only retained releases', () => {
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

it('names what changed, variables without values', () => {
  const ports = [{ number: 8080, expose: true }];
  const [row] = releaseRows(
    [
      aRelease({ number: 2, values: { ...values, ports }, envVersions: { SIZE: 2 } }),
      aRelease({ number: 1, envVersions: { COLOUR: 1 } }),
    ],
    options,
  );
  expect(row?.change).toBe('Changed ports, SIZE, COLOUR');
});

it('shows the reworded reason of a failure', () => {
  const message = 'The build job failed.';
  const [row] = releaseRows([aRelease({ outcome: 'failed', message })], options);
  expect(row?.reason).toBe('Failed to build from source, check logs for details');
});

it.each([
  ['syncing', 1, 'in-progress'],
  ['backoff', 1, 'retrying'],
  ['synced', 0, 'paused'],
  ['backoff', 0, 'paused'],
] as const)(
  'an unfinished release of an app that is %s with %i instances is %s',
  (status, instances, outcome) => {
    const app = anApp({ status, instances });
    const [row] = releaseRows([aRelease({ outcome: undefined })], {
      ...options,
      unfinished: unfinishedOutcome(app),
    });
    expect(row?.outcome).toBe(outcome);
  },
);

const commit = 'c'.repeat(40);
const actor = { userId: 'u1', name: 'Ada Lovelace' };
const other = { userId: 'u2', name: 'Grace Hopper' };
const push = { kind: 'push', ref: 'main', commit, by: '', subject: '' } as const;

it('names the target of a rollback, and the subject of a pushed commit', () => {
  const cause = { kind: 'rollback', to: 1, actor: { userId: 'u1', name: 'Ada' } } as const;
  const [row] = releaseRows(
    [aRelease({ number: 2, buildReusedFrom: 1, cause }), aRelease()],
    options,
  );
  expect([row?.change, row?.cause]).toEqual(['Rolled back to release 1', 'By you']);
  const subject = 'Fix the header';
  const [pushed] = releaseRows(
    [aRelease({ number: 2, cause: { ...push, by: 'ada', subject } }), aRelease()],
    options,
  );
  expect([pushed?.change, pushed?.cause]).toEqual([subject, 'Push to main by ada']);
});

it.each<[string | undefined, ReleaseCause | undefined]>([
  [undefined, undefined],
  ['By you', { kind: 'edit', actor }],
  ['By Grace Hopper', { kind: 'edit', actor: other }],
  ['By another user', { kind: 'edit', actor: { ...other, name: '' } }],
  ['By the operator', { kind: 'edit' }],
  ['By you, with the token “ci”', { kind: 'edit', actor: { ...actor, token: 'ci' } }],
  ['By you, with a token', { kind: 'edit', actor: { ...actor, token: '' } }],
  ['By you', { kind: 'rollback', to: 3, actor }],
  ['By the operator', { kind: 'rollback', to: 3 }],
  ['Push to main', push],
  ['Deploy hook', { kind: 'deploy-hook' }],
  ['Push to main by ada', { ...push, by: 'ada', subject: 'Fix the header' }],
])('the cause text is %j', (text, cause) => {
  expect(causeText(cause, 'u1')).toBe(text);
});

it('names what an edit changed, also if it reused a build', () => {
  const cause = { kind: 'edit', actor } as const;
  const edited = { number: 2, buildReusedFrom: 1, cause, envVersions: { GREETING: 2 } };
  expect(shown(edited, { number: 1 })[0]?.[1]).toBe('Changed GREETING');
});

it.each([
  [900, '900 bytes'],
  [300_000, '293 kB'],
  [1_258_291, '1.2 MB'],
])('shows an upload of %i bytes as %s', (bytes, size) => {
  const cause = { kind: 'upload', bytes, actor: { userId: 'u1', name: 'Ada' } } as const;
  const [row] = releaseRows([aRelease({ number: 1, cause })], options);
  expect([row?.change, row?.cause]).toEqual([`Uploaded source · ${size}`, 'By you']);
});
