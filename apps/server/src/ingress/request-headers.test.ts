import { describe, expect, it } from 'vitest';
import {
  bodyFollows,
  type ForwardedRequest,
  framingOf,
  requestHeaders,
} from './request-headers.ts';

const request: ForwardedRequest = {
  method: 'GET',
  rawHeaders: [],
  authority: 'app.localhost:8080',
  visitor: { address: '203.0.113.9', protocol: 'https' },
  framing: { kind: 'none' },
};

const ours = [
  ...['X-Forwarded-For', '203.0.113.9'],
  ...['X-Forwarded-Proto', 'https'],
  ...['X-Forwarded-Host', 'app.localhost:8080'],
];

describe('the headers an app gets', () => {
  it.each([
    ['keeps order, spelling and repetition', ['x-B', '1', 'X-a', '2', 'x-B', '3'], null],
    ['drops hop-by-hop headers', ['Keep-Alive', '5', 'TE', 'x', 'Proxy-Connection', 'y'], []],
    ['drops what Connection names', ['Connection', 'close, X-Own', 'x-own', '1'], []],
    ['drops an upgrade it will not do', ['Connection', 'Upgrade', 'Upgrade', 'h2c'], []],
    [
      'believes no claim about the client',
      ['X-Forwarded-For', 'evil', 'Forwarded', 'for=evil'],
      [],
    ],
    ['believes no claim in disguise', ['X_Forwarded_For', 'evil', 'X-Real_IP', 'evil'], []],
    ['drops a Proxy header', ['Proxy', 'http://evil'], []],
    ['sets Host itself', ['host', 'other'], []],
    ['sets the framing itself', ['Transfer-Encoding', 'chunked', 'Content-Length', '3'], []],
  ])('%s', (_sentence, rawHeaders, kept) => {
    expect(requestHeaders({ ...request, rawHeaders })).toEqual([
      ...['Host', 'app.localhost:8080'],
      ...(kept ?? rawHeaders),
      ...ours,
    ]);
  });

  it('survives a Connection header that names ours', () => {
    const rawHeaders = ['Connection', 'host, x-forwarded-for, content-length'];
    const framing = { kind: 'length', length: '3' } as const;
    const headers = requestHeaders({ ...request, rawHeaders, framing });
    expect(headers).toEqual([
      ...['Host', 'app.localhost:8080'],
      ...['Content-Length', '3'],
      ...ours,
    ]);
  });

  it('says that a POST without a body has none', () => {
    expect(requestHeaders({ ...request, method: 'POST' })).toContain('Content-Length');
  });
});

it.each([
  [{ kind: 'none' }, false],
  [{ kind: 'length', length: '0' }, false],
  [{ kind: 'length', length: '00' }, false],
  [{ kind: 'length', length: '5' }, true],
  [{ kind: 'chunked' }, true],
] as const)('knows whether a body follows %j', (framing, expected) => {
  expect(bodyFollows(framing)).toBe(expected);
});

it.each([
  [{}, { kind: 'none' }],
  [{ 'content-length': '5' }, { kind: 'length', length: '5' }],
  [{ 'transfer-encoding': 'Chunked' }, { kind: 'chunked' }],
  [{ 'transfer-encoding': 'gzip, chunked' }, { kind: 'refused' }],
  [{ 'transfer-encoding': 'chunked, chunked' }, { kind: 'refused' }],
  [{ 'transfer-encoding': 'chunked', 'content-length': '5' }, { kind: 'refused' }],
])('reads the framing of %j', (headers, expected) => {
  expect(framingOf(headers)).toEqual(expected);
});
