import { describe, expect, it } from 'vitest';
import { type ForwardedRequest, requestHeaders } from './forwarded-headers.ts';

const request: ForwardedRequest = {
  method: 'GET',
  rawHeaders: [],
  authority: 'app.localhost:8080',
  client: { address: '203.0.113.9', protocol: 'https' },
  framing: { kind: 'none' },
};

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
    ['drops a Proxy header', ['Proxy', 'http://evil'], []],
    ['replaces Host', ['host', 'other'], []],
    ['replaces the framing headers', ['Transfer-Encoding', 'chunked', 'Content-Length', '3'], []],
  ])('%s', (_behaviour, rawHeaders, forwarded) => {
    expect(requestHeaders({ ...request, rawHeaders })).toEqual([
      ...['Host', 'app.localhost:8080'],
      ...(forwarded ?? rawHeaders),
      ...addedHeaders,
    ]);
  });

  it('keeps the headers set by the ingress when Connection names them', () => {
    const rawHeaders = ['Connection', 'host, x-forwarded-for, content-length'];
    const framing = { kind: 'length', length: '3' } as const;
    const headers = requestHeaders({ ...request, rawHeaders, framing });
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
