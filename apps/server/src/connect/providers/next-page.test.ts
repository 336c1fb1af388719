import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPage } from './next-page.ts';

const PATH = '/projects?membership=true&per_page=100';
const API = 'https://gitlab.com/api/v4';

it.each<[string, Record<string, string>, string | undefined]>([
  [
    'a link',
    { link: `<${API}/projects?page=2&per_page=100>; rel="next"` },
    '/projects?page=2&per_page=100',
  ],
  [
    'a link among others',
    {
      link: `<${API}/p?page=1>; rel="prev", <${API}/p?page=3>; rel="next", <${API}/p?page=9>; rel="last"`,
    },
    '/projects?page=3',
  ],
  ['a link without quotes', { link: `<${API}/p?page=2>;rel=next` }, '/projects?page=2'],
  ['a relative link', { link: '</p?cursor=a%26b>; rel="next"' }, '/projects?cursor=a%26b'],
  [
    'a link with more to say',
    { link: `<${API}/p?page=2>; title="x"; rel="next"; a=b` },
    '/projects?page=2',
  ],
  [
    'a link to another host',
    { link: '<https://evil.example/steal?page=2>; rel="next"' },
    '/projects?page=2',
  ],
  ['the last page', { link: `<${API}/p?page=1>; rel="first"` }, undefined],
  ['an invalid link', { link: '<https://[bad>; rel="next"' }, undefined],
  ['a link without a query', { link: `<${API}/projects>; rel="next"` }, undefined],
  ['a title that contains rel=next', { link: `<${API}/p?page=2>; title="rel=next"` }, undefined],
  ['a number', { 'x-next-page': '2' }, '/projects?membership=true&per_page=100&page=2'],
  ['no number', { 'x-next-page': '' }, undefined],
  ['a negative number', { 'x-next-page': '-1' }, undefined],
  ['a too large number', { 'x-next-page': '9'.repeat(400) }, undefined],
  ['no headers', {}, undefined],
])('reads the next page from %s', (_case, headers, expected) => {
  expect(nextPage(PATH, new Headers(headers))).toBe(expected);
});

describe('with any headers', () => {
  const links = fc.oneof(
    fc.webUrl({ withQueryParameters: true }).map((url) => `<${url}>; rel="next"`),
    fc.string().map((text) => `<${text}>; rel="next"`),
    fc.string(),
  );
  const headerSafe = (text: string) => text.replace(/[^\x20-\x7e]/g, '').trim();

  it('the next page differs only in its query', () => {
    fc.assert(
      fc.property(links, fc.string(), (link, number) => {
        const headers = new Headers({ link: headerSafe(link), 'x-next-page': headerSafe(number) });
        const next = nextPage(PATH, headers);
        if (next === undefined) return;
        const url = new URL(API + next);
        expect(`${url.origin}${url.pathname}`).toBe(`${API}/projects`);
        expect(url.username + url.password + url.hash).toBe('');
      }),
    );
  });
});
