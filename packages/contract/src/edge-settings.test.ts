import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEdgeSettings } from './edge-settings.ts';

const HASH = '$scrypt$ln=14,r=8,p=5$c2FsdA$aGFzaA';

describe('parseEdgeSettings accepts', () => {
  it.each([undefined, null, {}, { headers: {} }, { redirects: [] }, { allowedIps: null }])(
    '%j as no settings',
    (edge) => {
      expect(parseEdgeSettings(edge)).toEqual({ ok: true, value: undefined });
    },
  );

  it.each([
    ['every setting', everySetting(), everySetting()],
    ['switches that are off', { maintenance: false }, { maintenance: false }],
    [
      'networks in any spelling',
      { allowedIps: [' 203.0.113.7', '2001:DB8:0::/32', '::1/128', '0.0.0.0/0', '203.0.113.7'] },
      { allowedIps: ['203.0.113.7', '2001:db8::/32', '::1/128', '0.0.0.0/0'] },
    ],
    [
      'hosts and targets in any spelling',
      { redirects: [{ from: 'Example.com.', to: 'HTTPS://WWW.example.com:443/' }] },
      { redirects: [{ from: 'example.com', to: 'https://www.example.com' }] },
    ],
    [
      'a chain of redirects',
      {
        redirects: [
          { from: 'a.example', to: 'https://b.example' },
          { from: 'b.example', to: 'http://c.example:8080' },
        ],
      },
      {
        redirects: [
          { from: 'a.example', to: 'https://b.example' },
          { from: 'b.example', to: 'http://c.example:8080' },
        ],
      },
    ],
  ])('%s', (_, edge, value) => {
    expect(parseEdgeSettings(edge)).toEqual({ ok: true, value });
  });

  it('a missing password when one is stored', () => {
    const before = { basicAuth: { username: 'ada', password: HASH } };
    expect(parseEdgeSettings({ basicAuth: { username: 'grace' } }, before)).toEqual({
      ok: true,
      value: { basicAuth: { username: 'grace', password: HASH } },
    });
  });

  it('an unknown setting that is stored already, and drops it', () => {
    const edge = { later: [1], maintenance: true };
    expect(parseEdgeSettings(edge, { later: [1] })).toEqual({
      ok: true,
      value: { maintenance: true },
    });
  });
});

describe('parseEdgeSettings refuses', () => {
  it.each<[field: string, edge: unknown, message: string | RegExp]>([
    ['edge', 'all', 'Must be an object'],
    ['edge', [], 'Must be an object'],
    ['edge.spreadSessions', { spreadSessions: false }, 'Unknown setting'],
    ['edge.spreadSessions', { spreadSessions: null }, 'Unknown setting'],
    ['edge.__proto__', JSON.parse('{"__proto__":{}}'), 'Unknown setting'],
    ['edge.forceHttps', { forceHttps: 'yes' }, 'Must be true or false'],
    ['edge.hsts', { hsts: 1 }, 'Must be true or false'],
    ['edge.maintenance', { maintenance: {} }, 'Must be true or false'],
    ['edge.basicAuth', { basicAuth: 'ada:secret' }, /must have a username and a password/],
    ['edge.basicAuth.realm', { basicAuth: { username: 'a', realm: 'b' } }, 'Unknown setting'],
    ['edge.basicAuth.username', { basicAuth: { password: 'b' } }, 'Username is required'],
    [
      'edge.basicAuth.username',
      { basicAuth: { username: 'a:b', password: 'c' } },
      'Username must not contain a colon',
    ],
    [
      'edge.basicAuth.username',
      { basicAuth: { username: 'a\nb', password: 'c' } },
      'Username must not contain control characters',
    ],
    ['edge.basicAuth.password', { basicAuth: { username: 'ada' } }, 'Password is required'],
    [
      'edge.basicAuth.password',
      { basicAuth: { username: 'ada', password: 'p'.repeat(256) } },
      'Password must have at most 255 characters',
    ],
    ['edge.basicAuth.password', { basicAuth: { username: 'a', password: 7 } }, /is required/],
    ['edge.allowedIps', { allowedIps: [] }, /^At least one address is required/],
    ['edge.allowedIps', { allowedIps: '203.0.113.7' }, /must be a list/i],
    ['edge.allowedIps', { allowedIps: [7] }, /must be a list/i],
    ['edge.allowedIps', { allowedIps: ['example.com'] }, /^"example.com": Must be an address/],
    ['edge.allowedIps', { allowedIps: ['203.0.113'] }, /Must be an address/],
    ['edge.allowedIps', { allowedIps: ['203.0.113.07'] }, /Must be an address/],
    ['edge.allowedIps', { allowedIps: ['203.0.113.7.'] }, /Must be an address/],
    ['edge.allowedIps', { allowedIps: ['203.0.113.0/33'] }, /between 0 and 32$/],
    ['edge.allowedIps', { allowedIps: ['203.0.113.0/'] }, /between 0 and 32$/],
    ['edge.allowedIps', { allowedIps: ['203.0.113.0/24/8'] }, /Must be an address/],
    ['edge.allowedIps', { allowedIps: ['2001:db8::/129'] }, /between 0 and 128$/],
    ['edge.allowedIps', { allowedIps: ['fe80::1%eth0'] }, /Must be an address/],
    ['edge.allowedIps', { allowedIps: ['::ffff:203.0.113.7'] }, /Enter the IPv4 address$/],
    ['edge.allowedIps', { allowedIps: Array(201).fill('::1') }, 'At most 200 entries are allowed'],
    ['edge.maxBodyMb', { maxBodyMb: 0 }, /between 1 and 10240$/],
    ['edge.maxBodyMb', { maxBodyMb: 1.5 }, /whole number of megabytes/],
    ['edge.maxBodyMb', { maxBodyMb: '100' }, /whole number of megabytes/],
    ['edge.timeoutSeconds', { timeoutSeconds: 3601 }, /between 1 and 3600$/],
    ['edge.timeoutSeconds', { timeoutSeconds: Number.NaN }, /whole number of seconds/],
    ['edge.headers', { headers: ['X-A: b'] }, 'Headers must be a map of name to value'],
    ['edge.headers.Set-Cookie', { headers: { 'Set-Cookie': 'a=b' } }, /Only the app/],
    ['edge.redirects', { redirects: {} }, 'Redirects must be a list'],
    ['edge.redirects', { redirects: ['a'] }, 'A redirect must have the texts from and to'],
    [
      'edge.redirects',
      { redirects: [{ from: 'a.example', to: 'https://b.example', code: 301 }] },
      'Unknown setting "code"',
    ],
    ['edge.redirects', { redirects: [{ from: '', to: 'https://b.example' }] }, /is required$/],
    ...[
      'b.example',
      '//b.example',
      'ftp://b.example',
      'javascript:alert(1)',
      'https://',
      'https://b.example/path',
      'https://b.example?',
      'https://b.example#',
      'https://ada@b.example',
      'https://b.example\\@c.example',
    ].map((to): [string, unknown, RegExp] => [
      'edge.redirects',
      { redirects: [{ from: 'a.example', to }] },
      /: The target must look like/,
    ]),
    [
      'edge.redirects',
      { redirects: [{ from: 'a.example', to: 'https://A.example' }] },
      'The redirects form a loop: a.example → a.example',
    ],
    [
      'edge.redirects',
      {
        redirects: [
          { from: 'x.example', to: 'https://a.example' },
          { from: 'a.example', to: 'https://b.example' },
          { from: 'b.example', to: 'https://a.example:8443' },
        ],
      },
      'The redirects form a loop: a.example → b.example → a.example',
    ],
    [
      'edge.redirects',
      {
        redirects: [
          { from: 'a.example', to: 'https://b.example' },
          { from: 'A.example', to: 'https://c.example' },
        ],
      },
      'a.example is redirected twice',
    ],
  ])('%s in %j', (field, edge, message) => {
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(parseEdgeSettings(edge)).toEqual({ ok: false, field, message: expected });
  });
});

describe('parseEdgeSettings', () => {
  it('returns settings that it accepts unchanged, or a field with its message, for any input', () => {
    const key = fc.constantFrom(...Object.keys(everySetting()));
    const edge = fc.oneof(
      fc.anything(),
      fc.dictionary(key, fc.oneof(fc.anything(), fc.jsonValue())),
    );
    fc.assert(
      fc.property(edge, (value) => {
        const parsed = parseEdgeSettings(value);
        if (parsed.ok) expect(parseEdgeSettings(parsed.value)).toEqual(parsed);
        else expect([parsed.field, parsed.message]).not.toContain('');
      }),
    );
  });
});

function everySetting() {
  return {
    forceHttps: true,
    hsts: true,
    basicAuth: { username: 'ada', password: 'pass word: ünï' },
    allowedIps: ['203.0.113.0/24'],
    maxBodyMb: 100,
    timeoutSeconds: 60,
    headers: { 'X-Frame-Options': 'DENY' },
    maintenance: true,
    redirects: [{ from: 'example.com', to: 'https://www.example.com' }],
  };
}
