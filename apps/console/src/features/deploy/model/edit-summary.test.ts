import type { AppResource, AppValues, Release } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { aConfig, anApp, aRelease } from '../../../../test/resources.ts';
import { describeChanges, editSummary } from './edit-summary.ts';

const COMMIT = aRelease().revision ?? '';
const app = anApp();
const failed = anApp({ status: 'backoff' });
const { source, publicAccess } = app.values;
const live = aRelease();
const hibernated = anApp({ instances: 0 });
const image = anApp({ source: { ...source, enabled: false } });
const pinned = anApp({ source: { ...source, ref: COMMIT } });
const SERVES = ' The running release serves until the new one is ready.';

function summaryOf(
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

it.each<[string, AppResource, Partial<AppValues>, Parameters<typeof summaryOf>[2]]>([
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
  ['The app is hibernated. Changes take effect when it wakes.', hibernated, port, {}],
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
])('the effect is %j', (effect, edited, change, situation) => {
  expect(summaryOf(edited, change, situation).effect).toBe(effect);
});

it('saving a failing app unchanged retries the deployment', () => {
  expect(summaryOf(failed, {})).toEqual({
    changes: 'No changes. Saving retries the deployment.',
    effect: 'Rebuilds and restarts the app.',
  });
});

it('reuses an older build only if its variables have the same versions', () => {
  const older = aRelease({ number: 1, revision: 'd'.repeat(40) });
  const history = [aRelease({ number: 2 }), older];
  const change = { source: { ...source, ref: 'd'.repeat(40) } };
  expect(summaryOf(app, change, { history }).effect).toContain('without a rebuild');
  const other = [aRelease({ number: 2, envVersions: { GREETING: 2 } }), older];
  expect(summaryOf(app, change, { history: other }).effect).toContain('Rebuilds');
});

it('names changes and the new address, but no value of a variable', () => {
  const renamed = summaryOf(app, { name: 'store', ...secret });
  expect(renamed.changes).toMatch(
    /^Changes: name shop → store, 1 variable\. New address: http:\/\/store-[0-9a-f]{12}\.localhost:8080 · Removed address: http:\/\/shop-[0-9a-f]{12}\.localhost:8080$/,
  );
  const notPublic = {
    publicAccess: { ...publicAccess, enabled: false },
    ports: [{ number: 3000, expose: false }],
  };
  expect(summaryOf(app, notPublic)).toEqual({
    changes: 'Changes: public access on → off. The app is no longer public.',
    effect: 'No restart needed.',
  });
  expect(JSON.stringify(renamed)).not.toContain('sesame');
});

it('names the addresses that a custom domain adds and removes; the generated one stays', () => {
  const at = (domain: string) => ({ publicAccess: { ...publicAccess, domain } });
  const [shop, www] = [at('shop.example.com'), at('www.example.com')];
  expect(summaryOf(app, shop).changes).toBe(
    'Changes: custom domain none → shop.example.com. New address: http://shop.example.com:8080',
  );
  expect(summaryOf(anApp(shop), www).changes).toBe(
    'Changes: custom domain shop.example.com → www.example.com. New address: http://www.example.com:8080 · Removed address: http://shop.example.com:8080',
  );
  expect(summaryOf(anApp(shop), at('auto')).changes).toBe(
    'Changes: custom domain shop.example.com → none. Removed address: http://shop.example.com:8080',
  );
});

describe('describeChanges', () => {
  const { values } = anApp({ env: { GREETING: 'hello', TOKEN: 'secret' } });
  const { source, container, publicAccess } = values;
  const image = { ...values, source: { ...source, enabled: false } };
  const notPublic = { ...publicAccess, enabled: false };

  it.each<[string[], AppValues, Partial<AppValues>]>([
    [[], values, {}],
    [['name shop → store'], values, { name: 'store' }],
    [['port 3000 → 8080'], values, { ports: [{ number: 8080, expose: true }] }],
    [['ref main → next'], values, { source: { ...source, ref: 'next' } }],
    [['ref main → ccccccc'], values, { source: { ...source, ref: 'c'.repeat(40) } }],
    [['source URL'], values, { source: { ...source, url: 'https://user:word@example.com/a' } }],
    [['account'], values, { source: { ...source, secretName: 'i1' } }],
    [['image nginx:latest → redis:8'], image, { container: { ...container, image: 'redis:8' } }],
    [['account'], image, { container: { ...container, pullSecretName: 'i1' } }],
    [['source repository → image'], values, { source: image.source }],
    [['public access on → off'], values, { publicAccess: notPublic }],
    [
      ['custom domain none → shop.example.com'],
      values,
      { publicAccess: { ...publicAccess, domain: 'shop.example.com' } },
    ],
    [['sleep off → after 5 min'], values, { sleep: { afterMinutes: 5 } }],
    [['1 variable'], values, { env: { ...values.env, TOKEN: 'another secret' } }],
    [['1 variable'], values, { env: { GREETING: 'hello' } }],
    [['3 variables'], values, { env: { GREETING: 'bye', constructor: 'x' } }],
    [
      ['name shop → store', 'port 3000 → 8080', '1 variable'],
      values,
      { name: 'store', ports: [{ number: 8080, expose: true }], env: { GREETING: 'hello' } },
    ],
  ])('lists %j', (texts, before, change) => {
    expect(describeChanges(before, { ...before, ...change })).toEqual(texts);
  });
});
