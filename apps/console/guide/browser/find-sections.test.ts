import { describe, expect, it } from 'vitest';
import type { Section } from '../sections.ts';
import { excerptOf, findSections } from './find-sections.ts';

const SECTIONS: Section[] = [
  { page: 'Logs', heading: 'Logs', href: '/docs/logs', text: 'What an app prints.' },
  {
    page: 'Logs',
    heading: 'What is kept',
    href: '/docs/logs#what-is-kept',
    text: 'Logs survive restarts.',
  },
  {
    page: 'Images',
    heading: 'Limits',
    href: '/docs/images#limits',
    text: 'The logs show when memory runs out.',
  },
];

describe('findSections', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['   ', []],
    ['nowhere', []],
    ['memory', ['/docs/images#limits']],
    ['MEM', ['/docs/images#limits']],
    ['logs restarts', ['/docs/logs#what-is-kept']],
    ['logs nowhere', []],
    ['logs', ['/docs/logs', '/docs/logs#what-is-kept', '/docs/images#limits']],
  ])('for %j', (query, hrefs) => {
    expect(findSections(SECTIONS, query).map(({ href }) => href)).toEqual(hrefs);
  });

  it('returns at most 8', () => {
    const many = Array.from({ length: 50 }, () => SECTIONS[0] as Section);
    expect(findSections(many, 'logs')).toHaveLength(8);
  });
});

describe('excerptOf', () => {
  const long = `${'before '.repeat(40)}the lighthouse ${'after '.repeat(40)}`.trim();
  const section = { page: 'Page', heading: 'Heading', href: '/docs', text: long };

  it('shows the text around the match', () => {
    const excerpt = excerptOf(section, 'Lighthouse');
    expect(excerpt).toMatch(/^…before .*the lighthouse after .*…$/);
    expect(excerpt.length).toBeLessThan(130);
  });

  it.each([
    ['the start if the text does not match', 'heading', /^before before/],
    ['the start if the match is near it', 'before', /^before before/],
  ])('shows %s', (_, query, expected) => {
    expect(excerptOf(section, query)).toMatch(expected);
  });

  it('shows a short text completely', () => {
    expect(excerptOf({ ...section, text: 'All of it.' }, 'all')).toBe('All of it.');
  });
});
