import { describe, expect, it } from 'vitest';
import { holdTimeoutMs } from './hold-timeout.ts';

const PAGE = 1_000;
const LONG = 50_000;
const browser = { host: 'app.localhost:8080', accept: 'text/html,*/*;q=0.8' };

describe('a held request', () => {
  it.each([
    ['that opens a page', 'GET', browser, PAGE],
    ['with Sec-Fetch-Mode: navigate', 'GET', { ...browser, 'sec-fetch-mode': 'navigate' }, PAGE],
    [
      'that follows a link of another site',
      'GET',
      { ...browser, referer: 'http://other/a?b' },
      PAGE,
    ],
    [
      'that comes from another page of the app',
      'GET',
      { ...browser, referer: 'http://app.localhost:8080/' },
      PAGE,
    ],
    ['with an invalid Referer', 'GET', { ...browser, referer: '::' }, PAGE],
    [
      'that reloads the page',
      'GET',
      { ...browser, referer: 'http://app.localhost:8080/a?b' },
      LONG,
    ],
    ['that submits a form', 'POST', browser, LONG],
    ['for a subresource', 'GET', { ...browser, 'sec-fetch-mode': 'no-cors' }, LONG],
    ['of a program', 'GET', { host: 'app.localhost:8080', accept: '*/*' }, LONG],
    ['without an Accept header', 'GET', { host: 'app.localhost:8080' }, LONG],
  ])('%s: %s %j', (_what, method, headers, expected) => {
    const request = { method, url: '/a?b', headers };
    expect(holdTimeoutMs(request, { pageHoldMs: PAGE, holdMs: LONG })).toBe(expected);
  });
});
