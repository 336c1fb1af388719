import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { AppValues } from './app-values.ts';
import { type EditEffect, editEffect } from './edit-effect.ts';
import { SETTING_EFFECTS, type SettingEffect } from './setting-effects.ts';

const git = buildAppValues();
const inputs = { arguments: ['VERSION'], startCommand: true };
const started = { ...git, run: { command: 'node a.js' } };
const image = {
  ...git,
  source: { ...git.source, enabled: false },
  container: { ...git.container, image: 'nginx:1' },
};

/** An edit of each key, of an app for which it matters. */
const EDITS: Record<keyof AppValues, [before: AppValues, change: Partial<AppValues>]> = {
  name: [git, { name: 'other' }],
  projectId: [git, { projectId: '00000000-0000-4000-8000-000000000000' }],
  resourceTier: [git, { resourceTier: 't2' }],
  ports: [git, { ports: [{ number: 8081, expose: true }] }],
  publicAccess: [git, { publicAccess: { ...git.publicAccess, domains: ['www.example.com'] } }],
  container: [image, { container: { ...image.container, image: 'nginx:2' } }],
  source: [git, { source: { ...git.source, ref: 'develop' } }],
  env: [git, { env: { ...git.env, COLOUR: 'red' } }],
  build: [git, { build: { buildCommand: 'npm run build:web' } }],
  run: [started, { run: { command: 'node server.js' } }],
  healthCheck: [git, { healthCheck: { path: '/up' } }],
  instances: [git, { instances: 0 }],
  replicas: [git, { replicas: 3 }],
  processes: [git, { processes: { worker: { command: 'node worker.js' } } }],
  sleep: [git, { sleep: { afterMinutes: 7 } }],
  edge: [git, { edge: { maintenance: true } }],
  watchPaths: [git, { watchPaths: ['apps/web/**'] }],
};

/** Without and with names within a project. */
const EXPECTED: Record<SettingEffect, [EditEffect, EditEffect]> = {
  nothing: ['keeps-running', 'keeps-running'],
  'new-name': ['keeps-running', 'restarts'],
  restart: ['redeploys', 'redeploys'],
  'restart-or-rebuild': ['redeploys', 'redeploys'],
  rebuild: ['rebuilds', 'rebuilds'],
  scale: ['scales', 'scales'],
  'restart-or-scale': ['redeploys', 'redeploys'],
  'sleep-or-wake': ['stays-hibernated', 'stays-hibernated'],
};

/** The same keys, where the build depends on them. */
const BUILD_EDITS: Partial<typeof EDITS> = {
  env: [git, { env: { ...git.env, VERSION: '2' } }],
  run: [git, { run: { command: 'node server.js' } }],
};

it.each(Object.keys(SETTING_EFFECTS) as (keyof AppValues)[])(
  'agrees with what an edit of %s causes',
  (key) => {
    expect(effectsOf(EDITS[key])).toEqual(EXPECTED[SETTING_EFFECTS[key]]);
  },
);

it('knows which settings a build may depend on', () => {
  const keys = Object.keys(SETTING_EFFECTS) as (keyof AppValues)[];
  const dependent = keys.filter((key) => SETTING_EFFECTS[key] === 'restart-or-rebuild');
  expect(dependent).toEqual(Object.keys(BUILD_EDITS));
  for (const edit of Object.values(BUILD_EDITS)) {
    expect(effectsOf(edit)).toEqual(EXPECTED.rebuild);
  }
});

function effectsOf([before, change]: [AppValues, Partial<AppValues>]): EditEffect[] {
  return [false, true].map((hasProjectNetwork) =>
    editEffect(
      before,
      { ...before, ...change },
      {
        status: 'synced',
        outcome: 'live',
        newest: { values: before, revision: 'c0ffee', inputs },
        built: [],
        hasProjectNetwork,
      },
    ),
  );
}
