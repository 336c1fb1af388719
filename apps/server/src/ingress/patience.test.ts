import { describe, expect, it } from 'vitest';
import { patienceMs } from './patience.ts';

const PAGE = 1_000;
const LONG = 50_000;
const browser = { host: 'app.localhost:8080', accept: 'text/html,*/*;q=0.8' };

describe('somebody who waits', () => {
  it.each([
    ['opens a page', 'GET', browser, PAGE],
    ['opens a page, and says so', 'GET', { ...browser, 'sec-fetch-mode': 'navigate' }, PAGE],
    ['follows a link of another site', 'GET', { ...browser, referer: 'http://other/a?b' }, PAGE],
    ['comes from another page', 'GET', { ...browser, referer: 'http://app.localhost:8080/' }, PAGE],
    ['sends what is no address', 'GET', { ...browser, referer: '::' }, PAGE],
    ['has our page', 'GET', { ...browser, referer: 'http://app.localhost:8080/a?b' }, LONG],
    ['sends a form', 'POST', browser, LONG],
    ['asks for a part', 'GET', { ...browser, 'sec-fetch-mode': 'no-cors' }, LONG],
    ['is a program', 'GET', { host: 'app.localhost:8080', accept: '*/*' }, LONG],
    ['says nothing', 'GET', { host: 'app.localhost:8080' }, LONG],
  ])('and %s: %s %j', (_who, method, headers, expected) => {
    const request = { method, url: '/a?b', headers };
    expect(patienceMs(request, { pageMs: PAGE, holdMs: LONG })).toBe(expected);
  });
});
