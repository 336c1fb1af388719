import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { AppValues } from './app-values.ts';
import {
  type EditEffect,
  type EditedApp,
  editEffect,
  runsReleaseCommand,
  survivesEdit,
} from './edit-effect.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const before = buildAppValues();
const pinned = { ...before, source: { ...before.source, ref: COMMIT } };
const otherPort = { ports: [{ number: 8080, expose: true }] };
const inputs = { arguments: ['VERSION'], startCommand: false };
const built = { values: before, revision: COMMIT, inputs };
const running: EditedApp = {
  status: 'synced',
  outcome: 'live',
  newest: built,
  built: [built],
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
  ['keeps-running', 'edge settings', before, { edge: { maintenance: true } }, {}],
  [
    'keeps-running',
    'edge settings after a failure',
    before,
    { edge: { maintenance: true } },
    { status: 'backoff', outcome: 'failed' },
  ],
  [
    'keeps-running',
    'watch paths after a failure',
    before,
    { watchPaths: ['apps/web/**'] },
    { status: 'backoff', outcome: 'failed' },
  ],
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
  [
    'rebuilds',
    'another name after a failed build',
    before,
    { name: 'b' },
    { outcome: 'failed', newest: undefined },
  ],
  ['redeploys', 'another name after a failed start', before, { name: 'b' }, { outcome: 'failed' }],
  ['redeploys', 'another port', before, otherPort, {}],
  ['redeploys', 'another variable', before, { env: { A: '1' } }, {}],
  ['redeploys', 'another variable at one commit', pinned, { env: { A: '1' } }, {}],
  ['redeploys', 'another start command', before, { run: { command: 'node b' } }, {}],
  ['rebuilds', 'a variable of the Dockerfile', before, { env: { VERSION: '2' } }, {}],
  ['rebuilds', 'a variable of the framework', before, { env: { VITE_URL: '/' } }, {}],
  ['rebuilds', 'another branch', before, { source: { ...before.source, ref: 'next' } }, {}],
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

it.each<[boolean, string, EditEffect, string, string, boolean]>([
  [true, 'a new build', 'rebuilds', 'migrate', 'migrate', false],
  [true, 'a changed command', 'redeploys', 'migrate', 'rake', false],
  [true, 'a first command', 'redeploys', '', 'migrate', false],
  [true, 'a command that failed', 'redeploys', 'migrate', 'migrate', true],
  [false, 'another variable', 'redeploys', 'migrate', 'migrate', false],
  [false, 'a removed command', 'redeploys', 'migrate', '', false],
  [false, 'a new build without a command', 'rebuilds', '', '', false],
  [false, 'a restart', 'restarts', 'migrate', 'migrate', false],
  [false, 'an edit while hibernated', 'stays-hibernated', '', 'migrate', false],
])('%s: the release command runs for %s', (runs, _, effect, from, to, hasFailed) => {
  const valuesWith = (releaseCommand: string) => ({
    ...before,
    run: releaseCommand === '' ? {} : { releaseCommand },
  });
  const edit = { before: valuesWith(from), after: valuesWith(to), hasFailed };
  expect(runsReleaseCommand(effect, edit)).toBe(runs);
});
