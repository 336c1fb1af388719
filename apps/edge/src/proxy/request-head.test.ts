import { describe, expect, it } from 'vitest';
import { hasBody, readHeaders, requestHead } from './request-head.ts';

const request = {
  method: 'GET',
  rawHeaders: [] as string[],
  connection: { address: '203.0.113.9', protocol: 'https' as const, isProxied: false },
};

/** The headers an app gets, as a flat list. */
function requestHeaders({ method, rawHeaders, connection }: typeof request): string[] {
  const headers = readHeaders(rawHeaders, connection.isProxied);
  const authority = 'app.localhost:8080';
  const head = requestHead({
    method,
    path: '/a',
    authority,
    headers,
    connection,
    isUpgrade: false,
  });
  const [line, ...lines] = head.split('\r\n');
  expect(line).toBe(`${method} /a HTTP/1.1`);
  expect(lines.splice(-2)).toEqual(['', '']);
  return lines.flatMap((field) => field.split(/: (.*)/, 2));
}

const addedHeaders = [
  ...['X-Forwarded-For', '203.0.113.9'],
  ...['X-Forwarded-Proto', 'https'],
  ...['X-Forwarded-Host', 'app.localhost:8080'],
];

describe('the headers an app gets', () => {
  it.each([
    ['keeps order, spelling and repetition', ['x-B', '1', 'X-a', '2', 'x-B', '3'], null],
    ['drops hop-by-hop headers', ['Keep-Alive', '5', 'TE', 'x', 'Proxy-Connection', 'y'], []],
    ['drops what Connection names', ['Connection', 'close, X-Own', 'x-own', '1'], []],
    ['drops an upgrade', ['Connection', 'Upgrade', 'Upgrade', 'h2c'], []],
    [
      'drops headers with which the client names its own address',
      ['X-Forwarded-For', 'evil', 'Forwarded', 'for=evil'],
      [],
    ],
    [
      'drops such headers spelled with underscores',
      ['X_Forwarded_For', 'evil', 'X-Real_IP', 'evil'],
      [],
    ],
    [
      'drops the address headers of CDNs, in any spelling',
      ['True-Client-IP', 'evil', 'cf-connecting-ip', 'evil', 'X-REAL-IP', 'evil', 'CLIENT_IP', 'e'],
      [],
    ],
    [
      'drops another URL than the requested one',
      ['X-Original-URL', '/admin', 'X-Rewrite-Url', '/x'],
      [],
    ],
    ['drops a Proxy header', ['Proxy', 'http://evil'], []],
    ['replaces Host', ['host', 'other'], []],
    ['joins cookies', ['cookie', 'a=1', 'Cookie', 'b=2'], ['Cookie', 'a=1; b=2']],
  ])('%s', (_behaviour, rawHeaders, forwarded) => {
    expect(requestHeaders({ ...request, rawHeaders })).toEqual([
      ...['Host', 'app.localhost:8080'],
      ...(forwarded ?? rawHeaders),
      ...addedHeaders,
    ]);
  });

  it('includes what a trusted proxy says about the client, except what the ingress sets itself', () => {
    const connection = { ...request.connection, isProxied: true };
    const fromProxy = ['True-Client-IP', '203.0.113.9', 'X-Real-IP', '203.0.113.9'];
    const rawHeaders = [
      ...fromProxy,
      ...['X-Forwarded-For', '6.6.6.6, 203.0.113.9', 'X-Forwarded-Host', 'evil'],
      ...['X-Forwarded-Proto', 'http', 'Forwarded', 'for=6.6.6.6', 'Proxy', 'http://evil'],
    ];
    expect(requestHeaders({ ...request, connection, rawHeaders })).toEqual([
      ...['Host', 'app.localhost:8080'],
      ...fromProxy,
      ...addedHeaders,
    ]);
  });

  it('never includes such headers with underscores, which no proxy sets', () => {
    const connection = { ...request.connection, isProxied: true };
    const rawHeaders = [
      'X_Real_IP',
      '6.6.6.6',
      'True_Client-IP',
      '6.6.6.6',
      'x_forwarded_for',
      '6',
    ];
    expect(requestHeaders({ ...request, connection, rawHeaders })).toEqual([
      ...['Host', 'app.localhost:8080'],
      ...addedHeaders,
    ]);
  });

  it('keeps the headers set by the ingress when Connection names them', () => {
    const names = 'host, x-forwarded-for, content-length';
    const rawHeaders = ['Connection', names, 'Content-Length', '3'];
    const headers = requestHeaders({ ...request, rawHeaders });
    expect(headers).toEqual([
      ...['Host', 'app.localhost:8080'],
      ...['Content-Length', '3'],
      ...addedHeaders,
    ]);
  });

  it('sets Content-Length 0 for a POST without a body', () => {
    expect(requestHeaders({ ...request, method: 'POST' })).toContain('Content-Length');
  });
});

describe('the framing of a body', () => {
  it.each([
    [[], { kind: 'none' }],
    [['content-length', '5'], { kind: 'length', length: '5' }],
    [['Content-Length', '5', 'Content-Length', '5'], { kind: 'unsupported' }],
    [['Content-Length', '+5'], { kind: 'unsupported' }],
    [['transfer-encoding', 'Chunked'], { kind: 'chunked' }],
    [['Transfer-Encoding', 'gzip, chunked'], { kind: 'unsupported' }],
    [['Transfer-Encoding', 'chunked, chunked'], { kind: 'unsupported' }],
    [['Transfer-Encoding', 'chunked', 'Transfer-Encoding', 'chunked'], { kind: 'unsupported' }],
    [['Transfer-Encoding', 'chunked', 'Content-Length', '5'], { kind: 'unsupported' }],
  ])('of headers %j is %j', (rawHeaders, expected) => {
    expect(readHeaders(rawHeaders, false).framing).toEqual(expected);
  });

  it.each([
    [{ kind: 'none' }, false],
    [{ kind: 'length', length: '0' }, false],
    [{ kind: 'length', length: '00' }, false],
    [{ kind: 'length', length: '5' }, true],
    [{ kind: 'chunked' }, true],
  ] as const)('%j means that there is a body: %s', (framing, expected) => {
    expect(hasBody(framing)).toBe(expected);
  });
});
