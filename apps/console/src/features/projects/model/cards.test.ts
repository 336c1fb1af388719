import type { LatestRelease } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { aConfig, anApp, aProject } from '../../../../test/resources.ts';
import { MESSAGES } from '../messages.ts';
import { appCard, appsSummary, findApps, projectCards, shortSource } from './cards.ts';

const shop = aProject({ id: 'p1', name: 'Shop', createdAt: '2025-01-01T00:00:00Z' });
const blog = aProject({ id: 'p2', name: 'Blog', createdAt: '2025-02-01T00:00:00Z' });
const web = anApp({ projectId: 'p1' });

const { ingress } = aConfig();

function aLatestRelease({
  hosts = [],
  ...release
}: Partial<LatestRelease> & { hosts?: string[] } = {}): LatestRelease {
  return {
    appId: 'a1',
    number: 6,
    outcome: 'live',
    startedAt: '2025-01-01T00:00:00Z',
    endedAt: '2025-01-01T00:01:00Z',
    serving: { release: 6, logName: 'app-a1-6', hosts },
    ...release,
  };
}

describe('project cards', () => {
  it('are sorted newest first, each with its number of applications', () => {
    const cards = projectCards([shop, blog, web], '');
    expect(cards.map(({ name, countLabel }) => [name, countLabel])).toEqual([
      ['Blog', '0 applications'],
      ['Shop', '1 application'],
    ]);
  });

  it.each([
    ['sho', ['Shop']],
    [' BLOG ', ['Blog']],
    ['nothing', []],
  ])('matching %j are %j', (search, names) => {
    expect(projectCards([shop, blog], search).map((card) => card.name)).toEqual(names);
  });
});

describe('application counts', () => {
  it.each([
    [0, '0 applications'],
    [1, '1 application'],
    [2, '2 applications'],
  ])('%i reads %s', (count, label) => {
    expect(MESSAGES.count(count)).toBe(label);
  });
});

describe('app cards', () => {
  it('show the repository of a source and the image of a container', () => {
    const fromImage = anApp({
      name: 'cache',
      source: { enabled: false, url: '', ref: '', secretName: '' },
    });
    const shown = [web, fromImage].map((app) => appCard(app, undefined, ingress));
    expect(shown.map(({ origin, ref }) => [origin, ref])).toEqual([
      ['acme/shop', 'main'],
      ['nginx:latest', undefined],
    ]);
  });

  it('show the address that is routed, otherwise the generated one', () => {
    const publicAccess = { enabled: true, domain: 'shop.example.com', baseDomain: 'localhost' };
    const app = anApp({ publicAccess });
    const generated = expect.stringMatching(/^shop-[0-9a-f]{12}\.localhost$/);
    expect(appCard(app, null, ingress).address?.host).toEqual(generated);
    const routed = aLatestRelease({ hosts: ['other.example.com', 'shop.example.com'] });
    expect(appCard(app, routed, ingress).address).toEqual({
      host: 'shop.example.com',
      url: 'http://shop.example.com:8080',
    });
    const hidden = anApp({ publicAccess: { ...publicAccess, enabled: false } });
    const secure = { ...ingress, httpsPort: 443, secureHosts: ['shop.example.com'] };
    expect(appCard(app, routed, secure).address?.url).toBe('https://shop.example.com');
    expect(appCard(hidden, routed, ingress).address).toBeUndefined();
  });

  it.each([
    ['nothing while it is loaded', anApp(), undefined, undefined],
    ['that there is none', anApp(), null, ['idle', 'Not deployed yet', undefined]],
    ['a live one', anApp(), aLatestRelease(), ['ok', 'Release 6 live', undefined]],
    [
      'a failed one, and which release serves',
      anApp({ status: 'backoff' }),
      aLatestRelease({ number: 7, outcome: 'failed' }),
      ['bad', 'Release 7 failed', 'serving release 6'],
    ],
    [
      'one in progress',
      anApp({ status: 'syncing' }),
      aLatestRelease({ number: 7, outcome: undefined }),
      ['busy', 'Deploying release 7', 'serving release 6'],
    ],
    [
      'one that is retried',
      anApp({ status: 'backoff' }),
      aLatestRelease({ outcome: undefined }),
      ['bad', 'Retrying release 6', undefined],
    ],
    [
      'one that waits for the app to wake',
      anApp({ instances: 0 }),
      aLatestRelease({ number: 7, outcome: undefined }),
      ['idle', 'Release 7 paused', undefined],
    ],
    [
      'a cancelled one',
      anApp(),
      aLatestRelease({ number: 7, outcome: 'cancelled' }),
      ['idle', 'Release 7 cancelled', 'serving release 6'],
    ],
  ] as const)('show of the last deployment %s', (_, app, latest, expected) => {
    const line = appCard(app, latest, ingress).deployment;
    expect(line && [line.tone, line.text, line.serving]).toEqual(expected);
  });

  it('are counted by what is broken or changing', () => {
    const apps = ['backoff', 'syncing', 'synced'].map((status) => anApp({ status }));
    expect(appsSummary([...apps, anApp({ instances: 0 }), anApp({ status: 'backoff' })])).toEqual([
      { text: '2 errors', isBad: true },
      { text: '1 updating', isBad: false },
      { text: '1 hibernated', isBad: false },
    ]);
    expect(appsSummary([anApp()])).toEqual([]);
  });

  it('are sorted by name, with numbers in natural order', () => {
    const apps = ['web-10', 'web-2', 'api'].map((name) => anApp({ name }));
    expect(findApps(apps, '').map(({ values }) => values.name)).toEqual(['api', 'web-2', 'web-10']);
  });

  it.each([
    ['https://github.com/acme/shop.git', 'acme/shop'],
    ['git@gitlab.com:acme/tools/shop.git', 'acme/tools/shop'],
    ['ssh://git@host.example/acme/shop', 'acme/shop'],
    ['file:///srv/shop', 'srv/shop'],
  ])('shorten %s to %s', (url, short) => {
    expect(shortSource(url)).toBe(short);
  });
});
