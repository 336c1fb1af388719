import { expect, it } from 'vitest';
import { type Caller, nextCaller, requestOf } from './caller.ts';

const refresh: Caller = {
  method: 'POST',
  path: '/token',
  headers: { Authorization: 'Bearer x' },
  body: { refreshToken: 'née' },
  carry: 'refreshToken',
};

it('writes a request that Node understands, with the length in bytes', () => {
  expect(requestOf(refresh, 1337).split('\r\n')).toEqual([
    'POST /token HTTP/1.1',
    'Host: localhost:1337',
    'Authorization: Bearer x',
    'Content-Type: application/json',
    'Content-Length: 23',
    '',
    '{"refreshToken":"née"}',
  ]);
});

it('carries what the answer gave into the next request', () => {
  const next = nextCaller(refresh, '{"refreshToken":"second","user":{}}');
  expect(next.body).toEqual({ refreshToken: 'second' });
});

it('asks the same again when there is nothing to carry', () => {
  const health: Caller = { method: 'GET', path: '/healthz' };
  expect(nextCaller(health, 'no JSON')).toBe(health);
});
