import { expect, it } from 'vitest';
import { nextClient, serializeRequest, type VirtualClient } from './virtual-client.ts';

const refresh: VirtualClient = {
  method: 'POST',
  path: '/token',
  headers: { Authorization: 'Bearer x' },
  body: { refreshToken: 'née' },
  carry: 'refreshToken',
};

it('serializes a valid request with the length in bytes', () => {
  expect(serializeRequest(refresh, 1337).split('\r\n')).toEqual([
    'POST /token HTTP/1.1',
    'Host: localhost:1337',
    'Authorization: Bearer x',
    'Content-Type: application/json',
    'Content-Length: 23',
    '',
    '{"refreshToken":"née"}',
  ]);
});

it('copies a field of the response into the next request', () => {
  const next = nextClient(refresh, '{"refreshToken":"second","user":{}}');
  expect(next.body).toEqual({ refreshToken: 'second' });
});

it('repeats the same request without such a field', () => {
  const health: VirtualClient = { method: 'GET', path: '/healthz' };
  expect(nextClient(health, 'no JSON')).toBe(health);
});
