import { type AppResource, type AppValues, publicHostsOf, type Release } from '@longshore/contract';
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
const dockerfile = aRelease({ buildInputs: { arguments: ['GREETING'], startCommand: false } });
const inProgress = aRelease({ number: 2, outcome: undefined });
const ofImage = aRelease({ values: image.values });
const failedCommand = aRelease({
  number: 2,
  outcome: 'failed',
  phases: [{ phase: 'releasing', at: '2025-01-01T00:00:40Z' }],
});
const STARTED = [{ phase: 'starting' as const, at: '2025-01-01T00:00:40Z' }];
const SERVES = ' The running release serves until the new one is ready.';

function summaryOf(
  edited: AppResource,
  change: Partial<AppValues>,
  {
    history = [live],
    hasProjectNetwork = false,
    secureHosts = [],
  }: { history?: Release[]; hasProjectNetwork?: boolean; secureHosts?: string[] } = {},
) {
  const after = { ...edited.values, ...change };
  const config = { ...aConfig(), hasProjectNetwork };
  const ingress = { ...config.ingress, httpsPort: 443 };
  return editSummary({
    app: edited,
    after,
    history,
    config: secureHosts.length === 0 ? config : { ...config, ingress },
    secureHosts,
  });
}

const RUNS = ' The release command runs before traffic moves.';
const migrates = { run: { releaseCommand: 'npm run migrate' } };
const port = { ports: [{ number: 8080, expose: true }] };
const secret = { env: { GREETING: 'open sesame' } };

it.each<[string, AppResource, Partial<AppValues>, Parameters<typeof summaryOf>[2]]>([
  ['No changes to save.', app, {}, {}],
  ['No changes to save.', app, { container: { ...app.values.container, image: '' } }, {}],
  ['No restart needed.', app, { sleep: { afterMinutes: 5 } }, {}],
  ['No restart needed.', app, { name: 'store' }, {}],
  [`Restarts the app without a rebuild.${SERVES}${RUNS}`, app, migrates, {}],
  [`Restarts the app without a rebuild.${SERVES}`, anApp(migrates), secret, {}],
  [
    `Restarts the app without a rebuild.${SERVES}${RUNS}`,
    anApp(migrates),
    secret,
    { history: [failedCommand, live] },
  ],
  [
    `Rebuilds and restarts the app.${SERVES}${RUNS}`,
    anApp(migrates),
    { source: { ...source, ref: 'next' } },
    {},
  ],
  [
    `Restarts the app under its new name.${SERVES}`,
    app,
    { name: 'store' },
    { hasProjectNetwork: true },
  ],
  [`Restarts the app without a rebuild.${SERVES}`, app, port, {}],
  [`Restarts the app without a rebuild.${SERVES}`, app, secret, {}],
  [`Restarts the app without a rebuild.${SERVES}`, app, { run: { command: 'node b' } }, {}],
  [`Rebuilds and restarts the app.${SERVES}`, app, { env: { VITE_URL: '/' } }, {}],
  [`Rebuilds and restarts the app.${SERVES}`, app, secret, { history: [dockerfile] }],
  [`Rebuilds and restarts the app.${SERVES}`, app, port, { history: [inProgress, live] }],
  [
    `Restarts the app without a rebuild.${SERVES}`,
    failed,
    secret,
    { history: [aRelease({ number: 2, outcome: 'failed', phases: STARTED }), live] },
  ],
  [`Rebuilds and restarts the app.${SERVES}`, pinned, { build: { buildCommand: 'make' } }, {}],
  [`Restarts the app without a rebuild.${SERVES}`, pinned, { run: { command: 'node b' } }, {}],
  [`Restarts the app without a rebuild.${SERVES}`, image, secret, { history: [ofImage] }],
  [
    `Pulls the image and restarts the app.${SERVES}`,
    image,
    { container: { ...image.values.container, image: 'nginx:2' } },
    { history: [ofImage] },
  ],
  [`Restarts the app without a rebuild.${SERVES}`, pinned, port, {}],
  [`Restarts the app without a rebuild.${SERVES}`, app, { source: pinned.values.source }, {}],
  [`Restarts the app without a rebuild.${SERVES}`, pinned, secret, {}],
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
  ['Restarts the app without a rebuild.', failed, port, {}],
])('the effect is %j', (effect, edited, change, situation) => {
  expect(summaryOf(edited, change, situation).effect).toBe(effect);
});

it('saving a failing app unchanged retries the deployment', () => {
  expect(summaryOf(failed, {})).toEqual({
    changes: 'No changes. Saving retries the deployment.',
    effect: 'Rebuilds and restarts the app.',
    saved: 'Saved. The app is being rebuilt and restarted.',
  });
});

it.each([
  [
    'Saved. The image is being pulled, then the app restarts.',
    app,
    { source: { ...source, enabled: false } },
  ],
  ['Saved. The app restarts without a rebuild.', app, port],
  ['Saved. The app is being rebuilt and restarted.', app, { build: { buildCommand: 'make' } }],
  ['Saved. Nothing restarts.', app, { sleep: { afterMinutes: 5 } }],
  ['Saved. Takes effect when the app wakes.', anApp({ instances: 0 }), port],
])('says afterwards: %s', (saved, edited, change) => {
  expect(summaryOf(edited, change).saved).toBe(saved);
});

it('reuses an older build only if its variables have the same versions', () => {
  const buildInputs = { arguments: ['GREETING'], startCommand: false };
  const older = aRelease({ number: 1, revision: 'd'.repeat(40), buildInputs });
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
    saved: 'Saved. Nothing restarts.',
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

it('names addresses with a certificate as https, also the next generated one', () => {
  const host = (name: string) => publicHostsOf({ ...app.values, id: app.id, name }, 'localhost');
  const [old, next] = [host('shop'), host('store')].map((hosts) => hosts[0] ?? '');
  expect(summaryOf(app, { name: 'store' }, { secureHosts: [old ?? ''] }).changes).toBe(
    `Changes: name shop → store. New address: https://${next} · Removed address: https://${old}`,
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
    [
      ['root directory detected → apps/web', 'start command detected → node b'],
      values,
      { build: { rootDirectory: 'apps/web' }, run: { command: 'node b' } },
    ],
    [['Node version detected → 22'], values, { build: { versions: { node: '22' } } }],
    [['Go version detected → 1.25'], values, { build: { versions: { go: '1.25' } } }],
    [[], image, { build: { rootDirectory: 'apps/web' } }],
    [['watch paths'], values, { watchPaths: ['apps/web'] }],
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
