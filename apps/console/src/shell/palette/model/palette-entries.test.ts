import { describe, expect, it } from 'vitest';
import { anApp, aProject } from '../../../../test/resources.ts';
import { matchScore } from './match-score.ts';
import { foundEntries, paletteEntries } from './palette-entries.ts';

const shop = aProject({ id: 'p1', name: 'Shop' });
const blog = aProject({ id: 'p2', name: 'Blog' });
const resources = [
  shop,
  blog,
  anApp({ id: 'a10', name: 'web-10', projectId: 'p1' }),
  anApp({ id: 'a2', name: 'web-2', projectId: 'p1' }),
  anApp({ id: 'a3', name: 'web-2', projectId: 'p2' }),
];
const run = () => undefined;
const content = {
  here: [{ label: 'Hibernate web-2', run }],
  preferences: [{ label: 'Dark theme', run }],
  resources,
  isOperator: false,
};
const entries = paletteEntries(content);

describe('the palette', () => {
  it('starts with the commands of the page, and shows the project of each app', () => {
    expect(entries.map(({ label, detail = '' }) => `${label} ${detail}`.trim())).toEqual([
      'Hibernate web-2',
      'Projects',
      'Integrations',
      'Profile',
      'Security',
      'Shop',
      'Blog',
      'web-2 Shop',
      'web-2 Blog',
      'web-10 Shop',
      'Dark theme',
    ]);
  });

  it('has the operator page for operators', () => {
    const pages = (isOperator: boolean) =>
      paletteEntries({ ...content, isOperator }).filter(({ label }) => label === 'Operator');
    expect(pages(true)).toMatchObject([{ act: { kind: 'go', to: '/dashboard/operator' } }]);
    expect(pages(false)).toEqual([]);
  });

  it.each([
    ['blog', ['Blog', 'web-2']],
    ['web blog', ['web-2']],
    ['hib', ['Hibernate web-2']],
    ['w10', ['web-10']],
    ['nothing like it', []],
  ])('for the input %j lists %j', (typed, labels) => {
    expect(foundEntries(entries, typed).map(({ label }) => label)).toEqual(labels);
  });

  it('shows at most 40 entries', () => {
    const manyApps = Array.from({ length: 200 }, (_, at) =>
      anApp({ id: `a${at}`, name: `web-${at}`, projectId: 'p1' }),
    );
    const many = paletteEntries({ ...content, resources: [shop, ...manyApps] });
    expect(foundEntries(many, '')).toHaveLength(40);
  });
});

describe('a match', () => {
  it.each([
    ['web-shop', 'web', 4],
    ['web-shop', 'shop', 3],
    ['webshop', 'shop', 2],
    ['web-shop', 'wsp', 1],
    ['web-shop', 'zoo', undefined],
    ['web-shop', '', 0],
  ])('of %s with %j scores %s', (text, typed, score) => {
    expect(matchScore(text, typed)).toBe(score);
  });
});
