import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  autoDomain,
  customDomainProblem,
  isGeneratedHostOf,
  normalizedDomain,
  publicHostsOf,
  reservedDomainProblem,
} from './domain.ts';

const app = { id: '3f2a91c4-7b0e-4d53-9a61-0c2f8e5d1b77', name: 'shop' };

describe('autoDomain', () => {
  it('is the name, a hyphen, 12 hex digits, a dot and the base domain', () => {
    expect(autoDomain(app, 'apps.example.com')).toBe('shop-3a35450ee57c.apps.example.com');
  });

  it('uses the first digits of the SHA-256 of name-id', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,50}$/), fc.uuid(), (name, id) => {
        const digest = createHash('sha256').update(`${name}-${id}`, 'utf8').digest('hex');
        expect(autoDomain({ id, name }, 'localhost')).toBe(
          `${name}-${digest.slice(0, 12)}.localhost`,
        );
      }),
    );
  });

  it('gives two apps of the same name two domains', () => {
    const other = { ...app, id: '3f2a91c4-7b0e-4d53-9a61-0c2f8e5d1b78' };
    expect(autoDomain(other, 'localhost')).not.toBe(autoDomain(app, 'localhost'));
  });
});

describe('customDomainProblem', () => {
  it.each([
    'shop.example.com',
    'example.com',
    'a.b.c.d.example.co.uk',
    'xn--bcher-kva.example',
    'shop.xn--p1ai',
    '3com.example',
    'my--shop.example.com',
    'Shop.Example.COM',
    `${'a'.repeat(63)}.example.com`,
  ])('accepts %s', (domain) => {
    expect(customDomainProblem(domain)).toBeUndefined();
  });

  it.each(['', '   ', '\n'])('requires a domain when it is %j', (domain) => {
    expect(customDomainProblem(domain)).toBe('Custom domain is required');
  });

  it.each([
    'localhost',
    '203.0.113.7',
    '[::1]',
    'shop.example.com.',
    '.example.com',
    'shop..example.com',
    'shop.example.com:8080',
    'https://shop.example.com',
    'shop.example.com/path',
    '-shop.example.com',
    'shop-.example.com',
    'shop_1.example.com',
    'bücher.example',
    'shop.example.com\n',
    ' shop.example.com',
    'a b.example.com',
    `${'a'.repeat(64)}.example.com`,
    `shop.${'a'.repeat(64)}`,
    `${'a.'.repeat(126)}example`,
  ])('rejects %j', (domain) => {
    expect(customDomainProblem(domain)).toBe('Custom domain must look like app.example.com');
  });
});

it('refuses a wildcard by name', () => {
  expect(customDomainProblem('*.example.com')).toMatch(/^Wildcard domains are not supported/);
});

describe('normalizedDomain', () => {
  it.each([
    [' Shop.Example.COM. ', 'shop.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['日本語.jp', 'xn--wgv71a119e.jp'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['auto', 'auto'],
    ['', ''],
    // Left as it is, and refused: these mean something else in a URL.
    ['ü@evil.example', 'ü@evil.example'],
    ['ü.example/path', 'ü.example/path'],
    ['ü.example:80', 'ü.example:80'],
    ['127.0.0.1', '127.0.0.1'],
  ])('turns %j into %j', (text, domain) => {
    expect(normalizedDomain(text)).toBe(domain);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const domain = normalizedDomain(text);
        if (customDomainProblem(domain) === undefined)
          expect(normalizedDomain(domain)).toBe(domain);
      }),
    );
  });
});

describe('isGeneratedHostOf', () => {
  const host = autoDomain(app, 'apps.example.com');

  it.each([
    ['its own', host, true],
    ['a former name', autoDomain({ ...app, name: 'old-shop' }, 'apps.example.com'), true],
    ['of another app', autoDomain({ ...app, id: 'other' }, 'apps.example.com'), false],
    ['with another digest', 'shop-0123456789ab.apps.example.com', false],
    ['below another base domain', autoDomain(app, 'example.com'), false],
    ['with more after it', `${host}.evil.com`, false],
    ['with more before it', `x.${host}`, false],
    ['without a name', autoDomain({ ...app, name: '' }, 'apps.example.com'), false],
    ['the base domain', 'apps.example.com', false],
    ['empty', '', false],
  ])('of a host that is %s', (_, candidate, expected) => {
    expect(isGeneratedHostOf(app.id, candidate, 'apps.example.com')).toBe(expected);
  });
});

it.each([
  ['apps.example.com', true],
  ['shop.apps.example.com', true],
  ['console.example.com', true],
  ['example.com', false],
  ['my-apps.example.com', false],
])('knows whether %s is reserved', (domain, isReserved) => {
  const rules = { baseDomain: 'apps.example.com', publicUrl: 'https://console.example.com:8443' };
  expect(reservedDomainProblem(domain, rules) !== undefined).toBe(isReserved);
});

describe('publicHostsOf', () => {
  it('lists all custom domains that are routed, then the generated one', () => {
    const publicAccess = {
      enabled: true,
      domain: custom,
      domains: ['www.example.com', 'b.example.com'],
    };
    const exposed = { ...app, publicAccess, ports: [{ expose: true }] };
    const isRouted = (domain: string) => domain !== 'b.example.com';
    expect(publicHostsOf(exposed, 'localhost', isRouted)).toEqual([
      custom,
      'www.example.com',
      generated,
    ]);
  });

  const generated = 'shop-3a35450ee57c.localhost';
  const custom = 'shop.example.com';

  it.each<[string, boolean, string, boolean, string[]]>([
    ['public, with an exposed port', true, 'auto', true, [generated]],
    ['public, with a custom domain', true, custom, true, [custom, generated]],
    ['not public', false, 'auto', true, []],
    ['not public, with a custom domain', false, custom, true, []],
    ['public, with no exposed port', true, custom, false, []],
    ['public, with no domain', true, '', true, []],
    ['at the generated domain of an app', true, 'blog-0123456789ab.localhost', true, [generated]],
    [
      'at another domain below the base domain',
      true,
      'www.blog-0123456789ab.localhost',
      true,
      ['www.blog-0123456789ab.localhost', generated],
    ],
  ])('of an app that is %s', (_, enabled, domain, expose, hosts) => {
    const exposure = { publicAccess: { enabled, domain }, ports: [{ expose: false }, { expose }] };
    expect(publicHostsOf({ ...app, ...exposure }, 'localhost')).toEqual(hosts);
  });
});
