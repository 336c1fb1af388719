import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { AppValues } from './app-values.ts';
import { type EditEffect, type EditedApp, editEffect, outlivesEdit } from './edit-effect.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const before = buildAppValues();
const pinned = { ...before, source: { ...before.source, ref: COMMIT } };
const otherPort = { ports: [{ number: 8080, expose: true }] };
const running: EditedApp = {
  status: 'synced',
  outcome: 'live',
  built: [{ values: before, revision: COMMIT }],
  hasPlaces: false,
};

it.each<[EditEffect, string, AppValues, Partial<AppValues>, Partial<EditedApp>]>([
  ['nothing', 'the same values', before, {}, {}],
  ['builds', 'the same values after a failure', before, {}, { status: 'backoff' }],
  ['reuses', 'the same commit after a failure', pinned, {}, { status: 'backoff' }],
  [
    'nothing',
    'the same values of a sleeper',
    { ...before, instances: 0 },
    {},
    { status: 'backoff' },
  ],
  ['stays', 'another name', before, { name: 'other' }, {}],
  ['stays', 'a sleep', before, { sleep: { afterMinutes: 5 } }, {}],
  [
    'stays',
    'public access',
    before,
    {
      publicAccess: { ...before.publicAccess, enabled: false },
      ports: before.ports.map((port) => ({ ...port, expose: false })),
    },
    {},
  ],
  ['stays', 'another name while it is tried again', before, { name: 'b' }, { outcome: undefined }],
  ['moves', 'another name where names are found', before, { name: 'b' }, { hasPlaces: true }],
  ['builds', 'another name after a failure', before, { name: 'b' }, { outcome: 'failed' }],
  ['builds', 'another port', before, otherPort, {}],
  ['builds', 'another variable', pinned, { env: { A: '1' } }, {}],
  ['reuses', 'another port at one commit', pinned, otherPort, {}],
  ['reuses', 'the commit that runs', before, { source: pinned.source }, {}],
  ['builds', 'the commit that runs, not kept', before, { source: pinned.source }, { built: [] }],
  ['sleeps', 'another port while it sleeps', before, { ...otherPort, instances: 0 }, {}],
])('%s for %s', (effect, _, from, change, app) => {
  expect(editEffect(from, { ...from, ...change }, { ...running, ...app })).toBe(effect);
});

it.each([
  ['live', true],
  [undefined, true],
  ['failed', false],
  ['superseded', false],
] as const)('a release that is %s outlives an edit: %s', (outcome, isSo) => {
  expect(outlivesEdit(outcome)).toBe(isSo);
});
