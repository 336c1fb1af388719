import { autoDomain } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import type { PublicApp } from '../apps/apps.ts';
import {
  everyAppNeedsOne,
  type InstallationNames,
  isCovered,
  isPublicName,
  wantedCertificates,
} from './wanted-certificates.ts';

const BASE = 'apps.longshore-shop.com';
const installation: InstallationNames = {
  baseDomain: BASE,
  publicUrl: 'https://console.longshore-shop.com:8443',
  ownNames: [],
};
const PORTS = [{ number: 80, expose: true }] as unknown as PublicApp['values']['ports'];

function app(
  domains: string[],
  { id = 'a1', ownerId = 'ada', instances = 1, proved = domains, routed = domains } = {},
): PublicApp {
  const publicAccess = { enabled: true, domain: 'auto', baseDomain: '', domains };
  return {
    id,
    ownerId,
    values: { name: 'shop', instances, publicAccess, ports: PORTS },
    routed: routed.map((domain) => ({ domain, isProved: proved.includes(domain) })),
  };
}

const names = (apps: PublicApp[], change: Partial<typeof installation> = {}) =>
  wantedCertificates(apps, { ...installation, ...change }).map(({ domain }) => domain);

const host = autoDomain({ id: 'a1', name: 'shop' }, BASE);

describe('wantedCertificates', () => {
  it('wants the console, custom domains and generated addresses', () => {
    expect(wantedCertificates([app(['www.shop.com'])], installation)).toEqual([
      {
        domain: 'console.longshore-shop.com',
        kind: 'console',
        ownerId: undefined,
        refusal: undefined,
        isAwake: true,
      },
      {
        domain: 'www.shop.com',
        kind: 'custom',
        ownerId: 'ada',
        refusal: undefined,
        isAwake: true,
      },
      { domain: host, kind: 'generated', ownerId: 'ada', refusal: undefined, isAwake: true },
    ]);
  });

  it.each([
    ['an http console', { publicUrl: 'http://console.longshore-shop.com' }, [host]],
    ['a local console', { publicUrl: 'https://localhost:1337' }, [host]],
    ['an address as console', { publicUrl: 'https://203.0.113.7' }, [host]],
    ['a local base domain', { baseDomain: 'localhost' }, ['console.longshore-shop.com']],
    ['a private base domain', { baseDomain: 'apps.lan' }, ['console.longshore-shop.com']],
    ['a wildcard', { ownNames: [`*.${BASE}`] }, ['console.longshore-shop.com']],
    ['own names', { ownNames: [host, 'console.longshore-shop.com'] }, []],
  ])('leaves out what needs none with %s', (_, change, expected) => {
    expect(names([app([])], change)).toEqual(expected);
  });

  it.each([
    ['a public base domain', {}, true],
    ['a local base domain', { baseDomain: 'localhost' }, false],
    ['a wildcard', { ownNames: [`*.${BASE}`] }, false],
    ['a wildcard of another domain', { ownNames: ['*.longshore-shop.com'] }, true],
  ])('knows whether apps without a custom domain need one with %s', (_, change, expected) => {
    expect(everyAppNeedsOne({ ...installation, ...change })).toBe(expected);
  });

  it('leaves out domains of others, and of apps without a port', () => {
    const unrouted = app(['taken.shop.com'], { routed: [] });
    const portless = app(['www.shop.com'], { id: 'a2' });
    portless.values.ports = [];
    expect(names([unrouted, portless])).toEqual(['console.longshore-shop.com', host]);
  });

  it('orders nothing for domains that are served without a proof', () => {
    const [, served] = wantedCertificates([app(['www.shop.com'], { proved: [] })], installation);
    expect(served).toMatchObject({ domain: 'www.shop.com', refusal: 'unproved' });
  });

  it('orders for at most 100 domains of an owner', () => {
    const many = (id: string, ownerId = 'ada') =>
      app(
        Array.from({ length: 60 }, (_, at) => `d${at}.${id}.shop.com`),
        { id, ownerId },
      );
    const wanted = wantedCertificates([many('x'), many('y'), many('z', 'eve')], installation);
    const refused = wanted.filter(({ refusal }) => refusal === 'too-many');
    expect(refused).toHaveLength(20);
    expect(refused.every(({ ownerId }) => ownerId === 'ada')).toBe(true);
  });
});

it.each([
  ['example.com', true],
  ['a.b.example.co.uk', true],
  ['localhost', false],
  ['app.localhost', false],
  ['nas.local', false],
  ['server.internal', false],
  ['shop.test', false],
  ['shop.example', false],
  ['1.2.0.192.in-addr.arpa', false],
  ['203.0.113.7', false],
  ['server', false],
  ['', false],
])('knows whether %s is a public name', (name, isPublic) => {
  expect(isPublicName(name)).toBe(isPublic);
});

it.each([
  ['a.example.com', ['*.example.com'], true],
  ['a.b.example.com', ['*.example.com'], false],
  ['example.com', ['*.example.com'], false],
  ['example.com', ['*.example.com', 'example.com'], true],
  ['aexample.com', ['*.example.com'], false],
])('knows whether %s is covered by %j', (domain, covering, expected) => {
  expect(isCovered(domain, covering)).toBe(expected);
});
