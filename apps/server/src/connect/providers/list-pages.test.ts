import { createSimulatedClock } from '@longshore/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listFirst, listPages, nextPage } from './list-pages.ts';
import { type FailureReason, ProviderFailure } from './provider-failure.ts';

const entry = z.object({ n: z.number() }).transform(({ n }) => n);

type PageResult = { numbers?: unknown; next?: string };

/** A provider with the given pages. Each request takes `pageMs`. */
function prepare(pageOf: (page: string) => PageResult, pageMs = 0) {
  const clock = createSimulatedClock();
  const requests: string[] = [];
  const api = {
    async page(path: string) {
      requests.push(path);
      await clock.advance(pageMs);
      const { numbers = [], next } = pageOf(
        new URLSearchParams(path.split('?')[1]).get('page') ?? '1',
      );
      const headers = new Headers(
        next === undefined ? {} : { link: `<https://x/?page=${next}>; rel="next"` },
      );
      const body = Array.isArray(numbers) ? numbers.map((n) => ({ n })) : numbers;
      return { body, headers };
    },
  };
  const list = (maxEntries = 100) => listPages(api, { path: '/list', entry, maxEntries }, clock);
  return { list, requests };
}

const endless = (page: string) => ({ numbers: [1, 2], next: String(Number(page) + 1) });

it('reads up to the last page, also after an empty one', async () => {
  const pages: Record<string, PageResult> = {
    1: { numbers: [1, 2], next: '2' },
    2: { numbers: [], next: '3' },
    3: { numbers: null, next: '4' },
    4: { numbers: [3] },
  };
  const { list } = prepare((page) => pages[page] ?? {});
  expect(await list()).toEqual({ entries: [1, 2, 3], isCut: false });
});

it('skips invalid entries', async () => {
  const { list } = prepare(() => ({ numbers: [1, 'x', null, 2] }));
  expect(await list()).toEqual({ entries: [1, 2], isCut: false });
});

it.each([{}, { data: null }, 'text', 7])('rejects %j as a list', async (numbers) => {
  await expect(prepare(() => ({ numbers })).list()).rejects.toMatchObject({
    reason: 'unreachable',
  });
});

it.each<[FailureReason, string, boolean]>([
  ['refused', 'Git Repository is empty.', true],
  ['refused', 'Git Repository is being created.', false],
  ['refused', 'Resource not accessible by personal access token', false],
  ['not-found', '404 Repository Not Found', true],
  ['not-found', '404 Project Not Found', false],
  ['not-found', 'Not Found', false],
  ['unreachable', 'Git Repository is empty.', false],
])('a list that fails with %s: %s is empty: %s', async (reason, detail, isEmpty) => {
  const failure = new ProviderFailure(reason, { detail });
  const api = { page: () => Promise.reject(failure) };
  const options = { path: '/list', entry, maxEntries: 100 };
  const all = listPages(api, options, createSimulatedClock());
  const first = listFirst(api, options);
  const results = await Promise.allSettled([all, first]);
  expect(results.map((it) => (it.status === 'fulfilled' ? it.value : it.reason))).toEqual(
    isEmpty ? [{ entries: [], isCut: false }, []] : [failure, failure],
  );
});

it('stops at the maximum and marks the list as cut', async () => {
  const { list, requests } = prepare(endless);
  expect(await list(5)).toEqual({ entries: [1, 2, 1, 2, 1], isCut: true });
  expect(requests).toHaveLength(3);
});

it('limits the entries read from one page', async () => {
  const { list } = prepare(() => ({ numbers: Array.from({ length: 300_000 }, (_, n) => n) }));
  const { entries, isCut } = await list(1_000_000);
  expect([entries.length, isCut]).toEqual([1_000, true]);
});

it('does not mark a list of exactly the maximum as cut', async () => {
  const { list } = prepare((page) =>
    page === '1' ? { numbers: [1, 2], next: '2' } : { numbers: [3, 4] },
  );
  expect(await list(4)).toEqual({ entries: [1, 2, 3, 4], isCut: false });
});

it('stops after the timeout and returns what it has read', async () => {
  const { list, requests } = prepare(endless, 10_000);
  expect(await list()).toEqual({ entries: [1, 2, 1, 2, 1, 2], isCut: true });
  expect(requests).toHaveLength(3);
});

it('always ends, within its limits and without requesting a page twice', async () => {
  const page = fc.record({
    numbers: fc.array(fc.integer(), { maxLength: 3 }),
    next: fc.option(fc.integer({ min: 1, max: 12 }).map(String), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 12 }), async (pages) => {
      const { list, requests } = prepare((number) => {
        const { numbers, next } = pages[(Number(number) - 1) % pages.length] ?? { numbers: [] };
        return { numbers, ...(next === undefined ? {} : { next }) };
      });
      const { entries } = await list(20);
      expect(entries.length).toBeLessThanOrEqual(20);
      expect(new Set(requests).size).toBe(requests.length);
    }),
  );
});

it('ends when every page is empty and links to another', async () => {
  const { list, requests } = prepare((page) => ({ next: String(Number(page) + 1) }));
  expect(await list()).toEqual({ entries: [], isCut: true });
  expect(requests).toHaveLength(200);
});

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
    'a link with other parameters',
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
  ['a page number', { 'x-next-page': '2' }, '/projects?membership=true&per_page=100&page=2'],
  ['an empty page number', { 'x-next-page': '' }, undefined],
  ['a negative page number', { 'x-next-page': '-1' }, undefined],
  ['a page number that is too large', { 'x-next-page': '9'.repeat(400) }, undefined],
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
