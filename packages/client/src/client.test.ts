import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
  eventually,
  settle,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { createFakeWebSockets } from '../test/graphql/fake-web-sockets.ts';
import { createClient } from './client.ts';
import type { ClientDeps } from './client-deps.ts';
import type { BackendSetup } from './http/service-urls.ts';
import type { StorageChoice } from './storage/session-storage.ts';

const SERVICES: BackendSetup = {
  authUrl: 'http://b/auth',
  graphqlUrl: 'http://b/graphql',
  storageUrl: 'http://b/storage',
  functionsUrl: 'http://b/functions',
  logsUrl: 'http://b/logs',
};

describe('the client', () => {
  it('uses the session of one sign-in for every service', async () => {
    const { client, authorizations } = start();
    await client.auth.signUp({ email: 'ada@example.com', password: 'secret' });
    await client.resources.createProject({ name: 'Harbour' });
    const { signal } = new AbortController();
    await client.logs.stream({ projectId: 'p', appId: 'a' }, { signal, onLine: () => undefined });
    await client.files.delete('f');
    await client.functions.call('/hello');
    const token = await client.auth.accessToken();
    expect(authorizations).toEqual(Array(4).fill(`Bearer ${token}`));
  });

  it('sends its role to every service, and the admin secret instead of the token', async () => {
    const { WebSocket, sockets } = createFakeWebSockets({ now: () => 0 });
    const setup = {
      ...SERVICES,
      domainsUrl: 'http://b/domains',
      usageUrl: 'http://b/usage',
      connectUrl: 'http://b/connect',
    };
    const caller = { adminSecret: 'secret', role: 'editor' };
    const { client, requests } = start(setup, { ...caller, webSocket: WebSocket });
    const headers = { 'x-hasura-role': 'editor', 'x-hasura-admin-secret': 'secret' };
    await client.auth.signUp({ email: 'ada@example.com', password: 'secret' });
    await client.account.currentUser();
    await client.resources.createProject({ name: 'Harbour' });
    const { signal } = new AbortController();
    await client.logs.stream({ projectId: 'p', appId: 'a' }, { signal, onLine: () => undefined });
    await client.files.delete('f');
    await client.functions.call('/hello');
    await client.connect.deleteIntegration('i');
    await client.domains?.list({ projectId: 'p', appId: 'a' });
    await client.usage?.load();
    const services = [
      'auth',
      'auth',
      'graphql',
      'logs',
      'storage',
      'functions',
      'connect',
      'domains',
      'usage',
    ];
    expect(requests.map(({ url }) => url.split('/')[3])).toEqual(services);
    for (const request of requests) {
      expect(Object.fromEntries(request.headers), request.url).toMatchObject(headers);
      expect(request.headers.has('authorization')).toBe(request.url.endsWith('/auth/user'));
    }

    client.resources.live('ada', { next: () => undefined });
    await eventually(() => sockets.length === 1);
    sockets[0]?.open();
    await eventually(() => sockets[0]?.sent.length === 1);
    expect(sockets[0]?.sent).toEqual([{ type: 'connection_init', payload: { headers } }]);
    client.stop();
  });

  it('derives the URLs of a backend from its subdomain', async () => {
    const { client, requests } = start({ subdomain: 'harbour', region: 'eu' });
    await client.auth.signUp({ email: 'ada@example.com', password: 'secret' });
    expect(requests.map(({ url }) => url)).toEqual([
      'https://harbour.auth.eu.nhost.run/v1/signup/email-password',
    ]);
  });

  it.each<[BackendSetup, string]>([
    [{ subdomain: '' }, 'A subdomain must be set.'],
    [{ subdomain: 'harbour' }, 'region must be set when using a subdomain other than local'],
    [{}, 'Please provide subdomain or authUrl'],
    [{ authUrl: 'http://b' }, 'Please provide subdomain or graphqlUrl'],
    [{ authUrl: 'http://b', graphqlUrl: 'http://b' }, 'Please provide subdomain or storageUrl'],
  ])('throws for the setup %j: %s', (setup, message) => {
    expect(() => start(setup)).toThrow(message);
  });

  it('stores the session in the chosen storage', async () => {
    const stored = new Map<string, string>();
    const adapter = {
      getItemAsync: async (key: string) => stored.get(key) ?? null,
      setItemAsync: async (key: string, value: string) => void stored.set(key, value),
      deleteItemAsync: async (key: string) => void stored.delete(key),
    };
    const storage: StorageChoice = { type: 'expo-secure-storage', adapter };
    const { client, backend } = start(SERVICES, { storage });
    await client.auth.signUp({ email: 'ada@example.com', password: 'secret' });
    client.stop();
    await settle();
    expect([...stored.keys()]).toContain('nhostRefreshToken');
    const { client: later } = start(SERVICES, { storage, fetch: backend.fetch });
    await later.auth.ready();
    expect(later.auth.state().kind).toBe('signed-in');
    later.stop();
  });

  it('leaves no timers and sockets when stopped', async () => {
    const { client, clock } = start();
    await client.auth.signUp({ email: 'ada@example.com', password: 'secret' });
    client.resources.live('ada', { next: () => undefined });
    client.stop();
    await settle();
    expect(client.graphql.connection.state()).toBe('closed');
    expect(clock.pending()).toBe(0);
  });
});

function start(setup = SERVICES, deps: Partial<ClientDeps> = {}) {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: clock.now });
  const authorizations: (string | null)[] = [];
  const requests: { url: string; headers: Headers }[] = [];
  const client = createClient({
    ...setup,
    clock,
    storage: createMemoryStorage(),
    fetch: async (url, init) => {
      requests.push({ url, headers: new Headers(init?.headers) });
      if (url.includes('auth')) return backend.fetch(url, init);
      authorizations.push(new Headers(init?.headers).get('authorization'));
      return Response.json({ data: { insert_resources_one: { id: 'new' } } });
    },
    ...deps,
  });
  return { client, clock, backend, authorizations, requests };
}
