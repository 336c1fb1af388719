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
const SERVES = ' The running release serves until the new one is ready.';

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
  ['No changes to save.', app, {}, {}],
  ['No changes to save.', app, { container: { ...app.values.container, image: '' } }, {}],
  ['No restart needed.', app, { sleep: { afterMinutes: 5 } }, {}],
  ['No restart needed.', app, { name: 'store' }, {}],
  [`Restarts the app under its new name.${SERVES}`, app, { name: 'store' }, { engine: 'docker' }],
  [`Rebuilds and restarts the app.${SERVES}`, app, port, {}],
  [`Rebuilds and restarts the app.${SERVES}`, app, secret, {}],
  [`Pulls the image and restarts the app.${SERVES}`, image, secret, {}],
  [`Restarts the app without a rebuild.${SERVES}`, pinned, port, {}],
  [`Restarts the app without a rebuild.${SERVES}`, app, { source: pinned.values.source }, {}],
  [`Rebuilds and restarts the app.${SERVES}`, pinned, secret, {}],
  ['The app is hibernated. Changes take effect when it wakes.', asleep, port, {}],
  [
    'Rebuilds and restarts the app.',
    failed,
    { name: 'store' },
    { history: [aRelease({ outcome: 'failed' })] },
  ],
  [
    `Rebuilds and restarts the app.${SERVES}`,
    failed,
    { name: 'store' },
    { history: [aRelease({ number: 2, outcome: 'failed' }), live] },
  ],
  ['Rebuilds and restarts the app.', failed, port, {}],
])('says %j', (effect, edited, change, about) => {
  expect(told(edited, change, about).effect).toBe(effect);
});

it('says that saving a failing app unchanged tries again', () => {
  expect(told(failed, {})).toEqual({
    changes: 'No changes. Saving retries the deployment.',
    effect: 'Rebuilds and restarts the app.',
  });
});

it('knows older builds by the marks of their variables', () => {
  const older = aRelease({ number: 1, revision: 'd'.repeat(40) });
  const history = [aRelease({ number: 2 }), older];
  const change = { source: { ...source, ref: 'd'.repeat(40) } };
  expect(told(app, change, { history }).effect).toContain('without a rebuild');
  const other = [aRelease({ number: 2, envVersions: { GREETING: 2 } }), older];
  expect(told(app, change, { history: other }).effect).toContain('Rebuilds');
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
    changes: 'Changes: public access on → off. The app is no longer public.',
    effect: 'No restart needed.',
  });
  expect(JSON.stringify(renamed)).not.toContain('sesame');
});
