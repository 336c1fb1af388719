import { describe, expect, it } from 'vitest';
import type { EndedRequest } from '../proxy/request-facts.ts';
import { accessLine } from './access-line.ts';

const REQUEST: EndedRequest = {
  appId: 'a',
  method: 'GET',
  host: 'shop.example.com',
  path: '/',
  status: 200,
  startedAt: 0,
  bytesIn: 3,
  bytesOut: 1_234,
};

const MOMENT = { appId: 'a', at: 5, durationMs: 12.345 };
const pathOf = (path: string) => accessLine({ ...REQUEST, path }, MOMENT).path;

it('has everything about a request but its query', () => {
  expect(accessLine({ ...REQUEST, path: '/reset?token=secret' }, MOMENT)).toEqual({
    appId: 'a',
    at: 5,
    method: 'GET',
    host: 'shop.example.com',
    path: '/reset',
    status: 200,
    durationMs: 12.3,
    bytes: 1_234,
  });
});

it('has the status 499 if the visitor left before there was one', () => {
  expect(accessLine({ ...REQUEST, status: 0 }, MOMENT).status).toBe(499);
});

describe('the path', () => {
  it.each([
    ['/a/b.html', '/a/b.html'],
    ['*', '*'],
    ['', ''],
    ['/?', '/'],
    ['/a?b?c', '/a'],
    ['/a#b', '/a'],
    ['/a#b?c', '/a'],
    ['/a%3Fb', '/a%3Fb'],
    ['/a b', '/a%20b'],
    ['/a\r\nb\0', '/a%0D%0Ab%00'],
    ['/\u001b[31mred', '/%1B[31mred'],
    ['/\u009b2J', '/%9B2J'],
    ['/caf\u00c3\u00a9', '/caf%C3%A9'],
    ['/\u202eexe', '/%3Fexe'],
  ])('%j is logged as %j', (path, logged) => {
    expect(pathOf(path)).toBe(logged);
  });

  it.each([
    ['/'.padEnd(1_024, 'a'), 1_024, 'a'],
    ['/'.padEnd(1_025, 'a'), 1_025, '…'],
    ['/'.padEnd(1_000_000, 'a'), 1_025, '…'],
    ['/'.padEnd(1_000, '\n'), 1_025, '…'],
  ])('is truncated', (path, length, end) => {
    const logged = pathOf(path);
    expect([logged.length, logged.at(-1)]).toEqual([length, end]);
  });
});

it('limits method and host, which a visitor chooses too', () => {
  const line = accessLine({ ...REQUEST, method: 'A\n'.repeat(99), host: 'b'.repeat(999) }, MOMENT);
  expect([line.method.length, line.host.length]).toEqual([33, 256]);
  expect(line.method).toMatch(/^A%0AA/);
});
