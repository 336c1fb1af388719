import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
  settle,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
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
    const { client, authorizations, sent } = start(SERVICES, {
      adminSecret: 'secret',
      role: 'editor',
    });
    await client.auth.signUp({ email: 'ada@example.com', password: 'secret' });
    await client.resources.createProject({ name: 'Harbour' });
    expect(authorizations).toEqual([null]);
    for (const headers of sent) {
      expect(headers.get('x-hasura-role')).toBe('editor');
      expect(headers.get('x-hasura-admin-secret')).toBe('secret');
    }
  });

  it('derives the URLs of a backend from its subdomain', async () => {
    const { client, urls } = start({ subdomain: 'harbour', region: 'eu' });
    await client.auth.signUp({ email: 'ada@example.com', password: 'secret' });
    expect(urls).toEqual(['https://harbour.auth.eu.nhost.run/v1/signup/email-password']);
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
  const sent: Headers[] = [];
  const urls: string[] = [];
  const client = createClient({
    ...setup,
    clock,
    storage: createMemoryStorage(),
    fetch: async (url, init) => {
      sent.push(new Headers(init?.headers));
      urls.push(url);
      if (url.includes('auth')) return backend.fetch(url, init);
      authorizations.push(new Headers(init?.headers).get('authorization'));
      return Response.json({ data: { insert_resources_one: { id: 'new' } } });
    },
    ...deps,
  });
  return { client, clock, backend, authorizations, sent, urls };
}
