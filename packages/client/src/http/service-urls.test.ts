import { describe, expect, it } from 'vitest';
import { type BackendSetup, type ServiceName, serviceUrl } from './service-urls.ts';

describe('the URL of a service', () => {
  it.each<[ServiceName, BackendSetup, string]>([
    ['auth', { authUrl: 'https://a.example.com/v1/auth/' }, 'https://a.example.com/v1/auth'],
    ['auth', { subdomain: 'local' }, 'http://localhost:1337/v1/auth'],
    ['graphql', { subdomain: 'localhost:4000' }, 'http://localhost:4000/v1/graphql'],
    ['storage', { subdomain: 'http://localhost' }, 'http://localhost:1337/v1/storage'],
    ['functions', { subdomain: 'abc', region: 'eu' }, 'https://abc.functions.eu.nhost.run/v1'],
    ['auth', { subdomain: 'abc', region: 'eu', domain: 'b.io' }, 'https://abc.auth.eu.b.io/v1'],
    ['auth', { subdomain: 'abc', authUrl: 'http://a' }, 'http://a'],
  ])('%s of %j is %s', (service, setup, url) => {
    expect(serviceUrl(service, setup)).toBe(url);
  });

  it.each<[ServiceName, BackendSetup, string]>([
    ['auth', { subdomain: '' }, 'A subdomain must be set.'],
    ['auth', { subdomain: 'abc' }, 'region must be set when using a subdomain other than local'],
    ['auth', {}, 'Please provide subdomain or authUrl'],
    ['graphql', { authUrl: 'http://a' }, 'Please provide subdomain or graphqlUrl'],
    ['storage', {}, 'Please provide subdomain or storageUrl'],
    ['functions', {}, 'Please provide subdomain or functionsUrl'],
  ])('%s of %j throws: %s', (service, setup, message) => {
    expect(() => serviceUrl(service, setup)).toThrow(message);
  });
});
