import type { AppResource, AppValues, Release } from '@longshore/contract';
import { expect, it } from 'vitest';
import { aConfig, anApp, aRelease } from '../../../../test/resources.ts';
import { editSummary } from './edit-summary.ts';

const COMMIT = aRelease().revision ?? '';
const app = anApp();
const failed = anApp({ status: 'backoff' });
const { source, publicAccess } = app.values;
const live = aRelease();
const asleep = anApp({ instances: 0 });
const image = anApp({ source: { ...source, enabled: false } });
const pinned = anApp({ source: { ...source, ref: COMMIT } });
const SERVES = '; the running release serves until the new one answers.';

function told(
  edited: AppResource,
  change: Partial<AppValues>,
  {
    history = [live],
    engine = 'process' as const,
  }: { history?: Release[]; engine?: 'process' | 'docker' } = {},
) {
  const after = { ...edited.values, ...change };
  return editSummary({ app: edited, after, history, config: { ...aConfig(), engine } });
}

const port = { ports: [{ number: 8080, expose: true }] };
const secret = { env: { GREETING: 'open sesame' } };

it.each<[string, AppResource, Partial<AppValues>, Parameters<typeof told>[2]]>([
  ['Nothing to save yet.', app, {}, {}],
  ['Nothing to save yet.', app, { container: { ...app.values.container, image: '' } }, {}],
  ['Nothing restarts.', app, { sleep: { afterMinutes: 5 } }, {}],
  ['Nothing restarts.', app, { name: 'store' }, {}],
  [
    `The app starts again under its new name${SERVES}`,
    app,
    { name: 'store' },
    { engine: 'docker' },
  ],
  [`The app is built again and restarts${SERVES}`, app, port, {}],
  [`The app is built again and restarts${SERVES}`, app, secret, {}],
  [`The image is pulled again and the app restarts${SERVES}`, image, secret, {}],
  [`The app restarts without being built again${SERVES}`, pinned, port, {}],
  [
    `The app restarts without being built again${SERVES}`,
    app,
    { source: pinned.values.source },
    {},
  ],
  [`The app is built again and restarts${SERVES}`, pinned, secret, {}],
  ['The app is hibernated: this takes effect when it wakes.', asleep, port, {}],
  [
    'The app is built again and restarts.',
    failed,
    { name: 'store' },
    { history: [aRelease({ outcome: 'failed' })] },
  ],
  [
    `The app is built again and restarts${SERVES}`,
    failed,
    { name: 'store' },
    { history: [aRelease({ number: 2, outcome: 'failed' }), live] },
  ],
  ['The app is built again and restarts.', failed, port, {}],
])('says %j', (effect, edited, change, about) => {
  expect(told(edited, change, about).effect).toBe(effect);
});

it('says that saving a failing app unchanged tries again', () => {
  expect(told(failed, {})).toEqual({
    changes: 'Nothing changes; saving tries again.',
    effect: 'The app is built again and restarts.',
  });
});

it('knows older builds by the marks of their variables', () => {
  const older = aRelease({ number: 1, revision: 'd'.repeat(40) });
  const history = [aRelease({ number: 2 }), older];
  const change = { source: { ...source, ref: 'd'.repeat(40) } };
  expect(told(app, change, { history }).effect).toContain('without being built');
  const other = [aRelease({ number: 2, envVersions: { GREETING: 2 } }), older];
  expect(told(app, change, { history: other }).effect).toContain('built again');
});

it('names what changes and where it will be reached, and no value of a variable', () => {
  const renamed = told(app, { name: 'store', ...secret });
  expect(renamed.changes).toMatch(
    /^Changes: name shop → store, 1 variable\. New address: http:\/\/store-[0-9a-f]{12}\.localhost:8080$/,
  );
  const shut = {
    publicAccess: { ...publicAccess, enabled: false },
    ports: [{ number: 3000, expose: false }],
  };
  expect(told(app, shut)).toEqual({
    changes: 'Changes: public access on → off. It is not reached from outside any more.',
    effect: 'Nothing restarts.',
  });
  expect(JSON.stringify(renamed)).not.toContain('sesame');
});
