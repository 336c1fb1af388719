import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { AppValues } from './app-values.ts';
import { type EditEffect, type EditedApp, editEffect, survivesEdit } from './edit-effect.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const before = buildAppValues();
const pinned = { ...before, source: { ...before.source, ref: COMMIT } };
const otherPort = { ports: [{ number: 8080, expose: true }] };
const running: EditedApp = {
  status: 'synced',
  outcome: 'live',
  built: [{ values: before, revision: COMMIT }],
  hasProjectNetwork: false,
};

it.each<[EditEffect, string, AppValues, Partial<AppValues>, Partial<EditedApp>]>([
  ['unchanged', 'the same values', before, {}, {}],
  ['rebuilds', 'the same values after a failure', before, {}, { status: 'backoff' }],
  ['redeploys', 'the same commit after a failure', pinned, {}, { status: 'backoff' }],
  [
    'unchanged',
    'the same values of a hibernated app',
    { ...before, instances: 0 },
    {},
    { status: 'backoff' },
  ],
  ['keeps-running', 'another name', before, { name: 'other' }, {}],
  ['keeps-running', 'sleep when idle', before, { sleep: { afterMinutes: 5 } }, {}],
  [
    'keeps-running',
    'public access',
    before,
    {
      publicAccess: { ...before.publicAccess, enabled: false },
      ports: before.ports.map((port) => ({ ...port, expose: false })),
    },
    {},
  ],
  [
    'keeps-running',
    'another name while a release is in progress',
    before,
    { name: 'b' },
    { outcome: undefined },
  ],
  [
    'restarts',
    'another name where the engine has project networks',
    before,
    { name: 'b' },
    { hasProjectNetwork: true },
  ],
  ['rebuilds', 'another name after a failure', before, { name: 'b' }, { outcome: 'failed' }],
  ['rebuilds', 'another port', before, otherPort, {}],
  ['rebuilds', 'another variable', pinned, { env: { A: '1' } }, {}],
  ['redeploys', 'another port at one commit', pinned, otherPort, {}],
  ['redeploys', 'the running commit', before, { source: pinned.source }, {}],
  [
    'rebuilds',
    'the running commit, whose build is gone',
    before,
    { source: pinned.source },
    { built: [] },
  ],
  [
    'stays-hibernated',
    'another port while it is hibernated',
    before,
    { ...otherPort, instances: 0 },
    {},
  ],
])('%s for %s', (effect, _, from, change, app) => {
  expect(editEffect(from, { ...from, ...change }, { ...running, ...app })).toBe(effect);
});

it.each([
  ['live', true],
  [undefined, true],
  ['failed', false],
  ['superseded', false],
] as const)('a release that is %s survives an edit: %s', (outcome, expected) => {
  expect(survivesEdit(outcome)).toBe(expected);
});
