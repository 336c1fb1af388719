import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autoDomain, customDomainProblem, decodeDomainCheck, publicHostsOf } from './domain.ts';

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
    '*.example.com',
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

describe('publicHostsOf', () => {
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

describe('decodeDomainCheck', () => {
  it('decodes a response and skips addresses that are not strings', () => {
    const body = { state: 'elsewhere', addresses: ['192.0.2.1', 7], extra: true };
    expect(decodeDomainCheck(body)).toEqual({ state: 'elsewhere', addresses: ['192.0.2.1'] });
  });

  it.each([undefined, null, [], {}, { state: 'verified' }, { state: 'unknown', addresses: [] }])(
    'rejects %j',
    (body) => {
      expect(decodeDomainCheck(body)).toBeUndefined();
    },
  );
});
