import { CONSOLE_ID, type EdgePolicy, type EdgeSettings } from '@longshore/edge-contract';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../test/entrance-fixture.ts';
import { createHttpsRules } from './https-rules.ts';

const CERTIFICATES = { has: (name: string) => name === 'shop.test', size: 1 };
const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17';

function rules(settings: Partial<EdgeSettings> = {}) {
  const created = createHttpsRules(CERTIFICATES);
  created.apply({ settings: { ...SETTINGS, ...settings }, challenges: { [TOKEN]: 'proof' } });
  return created;
}

type Case = {
  method: string;
  host: string;
  path: string;
  scheme: 'http' | 'https';
  isSchemeForwarded: boolean;
  hasApp: boolean;
  id: string;
  policy: EdgePolicy | undefined;
};

const REQUEST: Case = {
  ...{ method: 'GET', host: 'shop.test', path: '/a?b=c', scheme: 'http', isSchemeForwarded: false },
  ...{ hasApp: true, id: 'app-1', policy: undefined },
};
const CONSOLE = { id: CONSOLE_ID, host: 'console.test' };

function responseOf(created: ReturnType<typeof rules>, changes: Partial<Case> = {}) {
  const { hasApp, id, policy, ...request } = { ...REQUEST, ...changes };
  return created.respond(request, hasApp ? { id, policy } : undefined);
}

const OTHER = { host: 'other.test' };
const FORCED = { ...OTHER, policy: { forceHttps: true } };

describe('redirects to HTTPS', () => {
  const location = 'https://shop.test/a?b=c';
  const otherLocation = 'https://other.test/a?b=c';

  it.each<[string, Partial<Case>, string | undefined]>([
    ['an app with a certificate', {}, location],
    ['an app that forces HTTPS', { policy: { forceHttps: true } }, location],
    ['an app that does not force HTTPS', { policy: { forceHttps: false } }, undefined],
    ['a proxy without a certificate here', { ...OTHER, isSchemeForwarded: true }, undefined],
    ['a proxy, of an app that forces HTTPS', { ...FORCED, isSchemeForwarded: true }, otherLocation],
    ['an app that forces HTTPS, without a certificate', FORCED, undefined],
    [
      'HTTPS that a proxy names, of an app that forces it',
      { ...FORCED, isSchemeForwarded: true, scheme: 'https' },
      undefined,
    ],
    ['an app with other settings', { policy: { hsts: true } }, location],
    ['an app without a certificate', { host: 'other.test' }, undefined],
    ['HTTPS', { scheme: 'https' }, undefined],
    ['a host without app', { hasApp: false }, undefined],
    ['another method', { method: 'POST' }, location],
    ['a path that looks like a host', { path: '//evil.test' }, 'https://shop.test//evil.test'],
    ['the whole server', { method: 'OPTIONS', path: '*' }, 'https://shop.test/'],
    ['the console before it has a certificate', CONSOLE, 'https://console.test/a?b=c'],
    ['the console over HTTPS', { ...CONSOLE, scheme: 'https' }, undefined],
  ])('%s', (_name, changes, expected) => {
    const response = responseOf(rules(), changes);
    expect(response?.headers.Location).toBe(expected);
    expect(response?.status).toBe(expected && 308);
  });

  it('names a port other than 443, and the one of the console in its own redirects', () => {
    const created = rules({ publicHttpsPort: 8443, consolePort: 9443 });
    const locationOf = (change: Partial<Case>) => responseOf(created, change)?.headers.Location;
    expect(locationOf({})).toBe('https://shop.test:8443/a?b=c');
    expect(locationOf(CONSOLE)).toBe('https://console.test:9443/a?b=c');
    // The port of the proxy is not known here.
    expect(locationOf({ ...FORCED, isSchemeForwarded: true })).toBe(otherLocation);
  });

  it('needs a port for HTTPS', () => {
    const without = createHttpsRules(CERTIFICATES);
    without.apply({ settings: { ...SETTINGS, publicHttpsPort: undefined } });
    expect(responseOf(without)).toBe(undefined);
  });
});

describe('challenges of certificate authorities', () => {
  const path = `/.well-known/acme-challenge/${TOKEN}`;

  it.each<[string, Partial<Case>, boolean]>([
    ['a pending token', { path }, true],
    ['a pending token of a host without app', { path, hasApp: false, host: 'new.test' }, true],
    ['a pending token of an app that forces HTTPS', { path, policy: { forceHttps: true } }, true],
    ['a pending token with a query', { path: `${path}?a` }, true],
    ['a HEAD request', { path, method: 'HEAD' }, true],
    ['another token', { path: `${path}x` }, false],
    ['no token', { path: '/.well-known/acme-challenge/' }, false],
    ['a name of an object', { path: '/.well-known/acme-challenge/constructor' }, false],
    ['another method', { path, method: 'POST' }, false],
    ['another path', { path: `/x${path}` }, false],
  ])('%s', (_name, changes, isAnswered) => {
    const response = responseOf(rules(), { host: 'x.test', ...changes });
    expect(response?.status).toBe(isAnswered ? 200 : undefined);
    expect(response?.body).toBe(isAnswered ? 'proof' : undefined);
  });

  it('goes to the app once the token is not pending any more', () => {
    const changed = rules();
    changed.apply({ removedChallenges: [TOKEN] });
    const response = responseOf(changed, { path, host: 'x.test' });
    expect(response).toBe(undefined);
  });
});
