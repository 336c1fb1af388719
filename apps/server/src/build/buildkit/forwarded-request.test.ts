import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forwardedHeaders, judgeRequest, returnedHeaders } from './forwarded-request.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const MIRROR = { name: 'docker.io', path: '' };
const TEAM = { name: 'localhost:5000', path: 'team' };

const judge = (url: string, method = 'GET', headers = {}, repositories = MIRROR) =>
  judgeRequest({ method, url, headers }, repositories);

describe('judgeRequest', () => {
  it.each([
    '/v2/',
    '/v2/library/alpine/manifests/latest',
    '/v2/library/alpine/manifests/3.20_a-b',
    `/v2/library/alpine/manifests/${DIGEST}`,
    `/v2/library/alpine/blobs/${DIGEST}`,
    `/v2/a/b/c.d/e__f/g--h/blobs/${DIGEST}?ns=docker.io`,
    '/v2/manifests/manifests/manifests',
  ])('forwards %s', (path) => {
    expect(judge(path)).toEqual({ kind: 'forward', path });
    expect(judge(path, 'HEAD')).toEqual({ kind: 'forward', path });
  });

  it.each([
    '/',
    '',
    '*',
    '/v2',
    '/v2/_catalog',
    '/v2/_catalog?n=1000',
    '/v2/library/alpine/tags/list',
    `/v2/library/alpine/referrers/${DIGEST}`,
    '/v2/library/alpine/blobs/uploads/',
    '/v2/library/alpine/blobs/uploads/0123',
    '/v2/library/alpine/blobs/latest',
    '/v2/library/alpine/blobs/sha256:00',
    '/v2/library/alpine/manifests/',
    '/v2/library/alpine/manifests/a/b',
    '/v2/manifests/latest',
    '/v2//manifests/latest',
    '/v2/../metrics/manifests/latest',
    '/v2/a/../b/manifests/latest',
    '/v2/a/./b/manifests/latest',
    '/v2/a/%2e%2e/b/manifests/latest',
    '/v2/a%2fb/manifests/latest',
    '/v2/a/manifests/..',
    '/v2/a/manifests/latest%00',
    '/v2/a/manifests/latest#x',
    '/v2/a/manifests/latest\r\nX: y',
    '/v2/A/manifests/latest',
    '/v2/a\\b/manifests/latest',
    '/v1/search',
    '/debug/vars',
    '/metrics',
    '//evil.example/v2/a/manifests/latest',
    'http://evil.example/v2/a/manifests/latest',
    'evil.example:443',
    '/v2/a/manifests/latest?ns=ghcr.io',
    '/v2/a/manifests/latest?ns=docker.io&x=y',
    '/v2/a/manifests/latest?ns=docker.io?ns=docker.io',
    '/v2/a/manifests/latest?',
    '/v2/?n=1',
  ])('refuses %j', (path) => {
    expect(judge(path)).toEqual({ kind: 'refuse', status: 404 });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'get'])(
    'refuses %s',
    (method) => {
      expect(judge('/v2/a/manifests/latest', method)).toEqual({ kind: 'refuse', status: 405 });
    },
  );

  it.each([
    [{ 'content-length': '5' }, 400],
    [{ 'transfer-encoding': 'chunked' }, 400],
    [{ 'transfer-encoding': 'chunked', 'content-length': '0' }, 400],
  ])('refuses a body: %j', (headers, status) => {
    expect(judge('/v2/', 'GET', headers)).toEqual({ kind: 'refuse', status });
  });

  it('accepts an empty body', () => {
    expect(judge('/v2/', 'GET', { 'content-length': '0' })).toMatchObject({ kind: 'forward' });
  });

  it('refuses a long path quickly', () => {
    const path = `/v2/${'a-'.repeat(100_000)}/manifests/latest`;
    expect(judge(path)).toEqual({ kind: 'refuse', status: 414 });
    expect(judge(`/v2/${'a_'.repeat(500)}`)).toEqual({ kind: 'refuse', status: 404 });
  });

  it.each([
    ['/v2/team/app/manifests/1', 'forward'],
    ['/v2/team/app/manifests/1?ns=localhost:5000', 'forward'],
    ['/v2/team/app/manifests/1?ns=localhost%3A5000', 'forward'],
    ['/v2/', 'forward'],
    ['/v2/team/manifests/1', 'refuse'],
    ['/v2/teamwork/app/manifests/1', 'refuse'],
    ['/v2/other/team/app/manifests/1', 'refuse'],
    ['/v2/team/app/manifests/1?ns=docker.io', 'refuse'],
  ])('offers only repositories below the configured path: %s', (path, kind) => {
    expect(judge(path, 'GET', {}, TEAM)).toMatchObject({ kind });
  });

  it('forwards nothing that a URL parser would change', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (text) => {
        const verdict = judge(`/v2/${text}/manifests/latest`);
        if (verdict.kind === 'refuse') return;
        const { pathname, search } = new URL(verdict.path, 'http://registry.example');
        expect(`${pathname}${search}`).toBe(verdict.path);
      }),
    );
  });
});

it('forwards only headers that select the content', () => {
  const headers = {
    accept: 'application/json',
    range: 'bytes=0-1',
    authorization: 'Basic eDp5',
    cookie: 'a=b',
    host: 'evil.example',
    connection: 'upgrade',
    upgrade: 'websocket',
    'x-forwarded-for': '127.0.0.1',
  };
  expect(forwardedHeaders(headers)).toEqual({ accept: 'application/json', range: 'bytes=0-1' });
});

describe('returnedHeaders', () => {
  const from = new URL('http://localhost:5000/v2/a/blobs/x');

  it('keeps only headers that describe the content', () => {
    const headers = {
      'content-type': 'application/json',
      'docker-content-digest': DIGEST,
      'www-authenticate': 'Bearer realm="http://localhost:8080/token"',
      'set-cookie': ['a=b'],
      'x-powered-by': 'secret',
      link: '</v2/_catalog>; rel="next"',
    };
    expect(returnedHeaders(headers, from, MIRROR)).toEqual({
      'content-type': 'application/json',
      'docker-content-digest': DIGEST,
    });
  });

  it.each([
    ['/v2/b/manifests/1', '/v2/b/manifests/1'],
    ['http://localhost:5000/v2/b/manifests/1', '/v2/b/manifests/1'],
    ['../c/../manifests/1', '/v2/a/manifests/1'],
    ['../../../metrics', undefined],
    ['http://localhost:5001/v2/b/manifests/1', undefined],
    ['https://localhost:5000/v2/b/manifests/1', undefined],
    ['http://169.254.169.254/latest', undefined],
    ['//evil.example/v2/b/manifests/1', undefined],
    ['/v2/_catalog', undefined],
    ['/metrics', undefined],
    ['http://', undefined],
  ])('rewrites or refuses a redirect to %s', (location, expected) => {
    expect(returnedHeaders({ location }, from, MIRROR)?.location).toBe(expected);
  });
});
