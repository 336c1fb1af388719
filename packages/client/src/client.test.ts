import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
  settle,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { createClient } from './client.ts';

describe('the client', () => {
  it('uses the session of one sign-in for every service', async () => {
    const { client, authorizations } = start();
    await client.auth.signUp({ email: 'ada@example.com', password: 'secret' });
    await client.resources.createProject({ name: 'Harbour' });
    const { signal } = new AbortController();
    await client.logs.stream({ projectId: 'p', appId: 'a' }, { signal, onLine: () => undefined });
    const token = await client.auth.accessToken();
    expect(authorizations).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
  });

  it('leaves nothing behind when stopped', async () => {
    const { client, clock } = start();
    await client.auth.signUp({ email: 'ada@example.com', password: 'secret' });
    client.resources.live('ada', { next: () => undefined });
    client.stop();
    await settle();
    expect(client.graphql.connection.state()).toBe('closed');
    expect(clock.pending()).toBe(0);
  });
});

function start() {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: clock.now });
  const authorizations: (string | null)[] = [];
  const client = createClient({
    services: { auth: 'http://b/auth', graphql: 'http://b/graphql', logs: 'http://b/logs' },
    clock,
    storage: createMemoryStorage(),
    fetch: async (url, init) => {
      if (url.startsWith('http://b/auth')) return backend.fetch(url, init);
      authorizations.push(new Headers(init?.headers).get('authorization'));
      return Response.json({ data: { insert_resources_one: { id: 'new' } } });
    },
  });
  return { client, clock, authorizations };
}
