import type { EdgePolicy } from '@longshore/edge-contract';
import { describe, expect, it } from 'vitest';
import type { RequestFacts } from '../proxy/request-facts.ts';
import { compilePolicy } from './compile-policy.ts';
import { type CheckResult, decideChecked, decidePolicy } from './decide-policy.ts';

const basicAuth = { username: 'ada', passwordHash: 'hash' };
const everything: EdgePolicy = {
  allowedIps: ['203.0.113.0/24', '2001:db8::7'],
  redirects: [{ from: 'example.com', to: 'https://www.example.com' }],
  maintenance: true,
  basicAuth,
  hsts: true,
};
const ADA = `Basic ${Buffer.from('ada:pass:wörd').toString('base64')}`;

function facts({ headers, ...change }: Partial<RequestFacts> = {}): RequestFacts {
  return {
    method: 'GET',
    host: 'www.example.com',
    path: '/',
    scheme: 'http',
    address: '203.0.113.9',
    headers: { ...headers },
    ...change,
  };
}

const decide = (policy: EdgePolicy, change?: Partial<RequestFacts>) =>
  decidePolicy(compilePolicy(policy), facts(change));
const statusOf = (policy: EdgePolicy, change?: Partial<RequestFacts>) => {
  const decision = decide(policy, change);
  return decision.kind === 'respond' ? decision.status : decision.kind;
};

describe('decidePolicy', () => {
  it.each<[what: string, EdgePolicy, Partial<RequestFacts>, number | string]>([
    ['no setting', {}, {}, 'forward'],
    ['an allowed address', { allowedIps: ['203.0.113.9'] }, {}, 'forward'],
    ['an allowed network', { allowedIps: ['203.0.113.0/24'] }, {}, 'forward'],
    ['another address', { allowedIps: ['203.0.114.0/24'] }, {}, 403],
    ['IPv6', { allowedIps: ['2001:db8::/32'] }, { address: '2001:db8:1::5' }, 'forward'],
    ['other IPv6', { allowedIps: ['2001:db8::/32'] }, { address: '2001:db9::5' }, 403],
    ['IPv6 with a zone', { allowedIps: ['fe80::/10'] }, { address: 'fe80::1%eth0' }, 'forward'],
    ['IPv4 in an IPv6 network', { allowedIps: ['2000::/3'] }, {}, 403],
    ['everybody', { allowedIps: ['0.0.0.0/0'] }, {}, 'forward'],
    ['no address', { allowedIps: ['0.0.0.0/0', '::/0'] }, { address: '' }, 403],
    ['an entry that is no network', { allowedIps: ['all'] }, {}, 403],
    ['a prefix that is too long', { allowedIps: ['203.0.113.9/64'] }, {}, 403],
    ['an empty list', { allowedIps: [] }, {}, 403],
    ['everything for a foreign address', everything, { address: '192.0.2.1' }, 403],
    ['everything for a redirected host', everything, { host: 'example.com' }, 308],
    ['everything', everything, {}, 503],
    ['maintenance with credentials', everything, { headers: { authorization: ADA } }, 503],
    ['maintenance that is off', { maintenance: false }, {}, 'forward'],
    ['no credentials', { basicAuth }, {}, 401],
    ['another scheme', { basicAuth }, { headers: { authorization: 'Bearer abc' } }, 401],
    ['broken credentials', { basicAuth }, { headers: { authorization: 'Basic %' } }, 401],
    [
      'credentials without a colon',
      { basicAuth },
      { headers: { authorization: 'Basic YQ==' } },
      401,
    ],
    [
      'very long credentials',
      { basicAuth },
      { headers: { authorization: `Basic ${'a'.repeat(4_000)}` } },
      401,
    ],
    ['credentials', { basicAuth }, { headers: { authorization: ADA } }, 'check'],
    ['a body within the limit', { maxBodyBytes: 10 }, length('10'), 'forward'],
    ['a longer body', { maxBodyBytes: 10 }, length('11'), 413],
    ['a body of unknown length', { maxBodyBytes: 10 }, {}, 'forward'],
  ])('with %s', (_, policy, change, expected) => {
    expect(statusOf(policy, change)).toBe(expected);
  });

  it('redirects with path and query', () => {
    expect(decide(everything, { host: 'example.com', path: '/a//b?c=d&e' })).toMatchObject({
      headers: { Location: 'https://www.example.com/a//b?c=d&e' },
      body: '',
    });
  });

  it.each(['*', '@evil.example', 'https://evil.example/', ''])(
    'redirects the path %j to the target host only',
    (path) => {
      expect(decide(everything, { host: 'example.com', path })).toMatchObject({
        headers: { Location: 'https://www.example.com/' },
      });
    },
  );

  it('asks for credentials in UTF-8, and reads them', () => {
    expect(decide({ basicAuth })).toMatchObject({
      headers: { 'WWW-Authenticate': 'Basic realm="Protected", charset="UTF-8"' },
    });
    expect(decide({ basicAuth }, { headers: { authorization: ADA } })).toMatchObject({
      credentials: { username: 'ada', password: 'pass:wörd' },
    });
  });

  it('says when to come back after maintenance, as a page or as JSON', () => {
    const page = decide({ maintenance: true }, { headers: { accept: 'text/html' } });
    expect(page).toMatchObject({
      headers: { 'Retry-After': '60', 'Content-Type': 'text/html; charset=utf-8' },
      body: expect.stringContaining('This app is down for maintenance.'),
    });
    expect(decide({ maintenance: true })).toMatchObject({
      body: '{"status":503,"error":"maintenance","message":"This app is down for maintenance."}',
    });
  });

  it('adds HSTS to every response over HTTPS, and to none over HTTP', () => {
    const hsts = { 'Strict-Transport-Security': 'max-age=31536000' };
    const policy: EdgePolicy = { hsts: true, headers: { 'X-A': 'b' } };
    expect(decide(policy, { scheme: 'https' })).toMatchObject({
      responseHeaders: { 'X-A': 'b', ...hsts },
    });
    expect(decide(policy)).toHaveProperty('responseHeaders', { 'X-A': 'b' });
    expect(decide({ ...policy, maintenance: true }, { scheme: 'https' })).toMatchObject({
      headers: hsts,
    });
    expect(decide({ ...policy, maintenance: true })).not.toHaveProperty([
      'headers',
      'Strict-Transport-Security',
    ]);
  });

  it('forwards with the limits of the app', () => {
    expect(decide({ maxBodyBytes: 10, timeoutMs: 5 })).toMatchObject({
      kind: 'forward',
      maxBodyBytes: 10,
      timeoutMs: 5,
    });
  });
});

describe('decideChecked', () => {
  const policy = compilePolicy({ basicAuth, maxBodyBytes: 10 });

  it.each<[CheckResult, number]>([
    ['wrong', 401],
    ['limited', 429],
  ])('refuses %s credentials', (result, status) => {
    expect(decideChecked(policy, facts(), result)).toMatchObject({ kind: 'respond', status });
  });

  it('forwards the request without the password, which is for the edge', () => {
    expect(decideChecked(policy, facts(), 'right')).toMatchObject({
      kind: 'forward',
      dropsAuthorization: true,
    });
    expect(decideChecked(policy, facts(length('11')), 'right')).toMatchObject({ status: 413 });
  });
});

function length(bytes: string): Partial<RequestFacts> {
  return { method: 'POST', headers: { 'content-length': bytes } };
}
