import { describe, expect, it } from 'vitest';
import { anApp, aProject } from '../../../../test/resources.ts';
import { MESSAGES } from '../messages.ts';
import { appCards, projectCards, shortSource } from './cards.ts';

const shop = aProject({ id: 'p1', name: 'Shop', createdAt: '2025-01-01T00:00:00Z' });
const blog = aProject({ id: 'p2', name: 'Blog', createdAt: '2025-02-01T00:00:00Z' });
const web = anApp({ projectId: 'p1' });

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
    expect(appCards([web, fromImage], '').map((card) => card.origin)).toEqual([
      'nginx:latest',
      'acme/shop',
    ]);
  });

  it('are sorted by name, with numbers in natural order', () => {
    const apps = ['web-10', 'web-2', 'api'].map((name) => anApp({ name }));
    expect(appCards(apps, '').map((card) => card.name)).toEqual(['api', 'web-2', 'web-10']);
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
