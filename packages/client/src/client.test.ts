import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
  settle,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { Caller } from './setup/caller-headers.ts';

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

  it('names its role to every service, and the admin secret instead of the token', async () => {
    const { client, authorizations, sent } = start({ adminSecret: 'secret', role: 'editor' });
    await client.auth.signUp({ email: 'ada@example.com', password: 'secret' });
    await client.resources.createProject({ name: 'Harbour' });
    expect(authorizations).toEqual([null]);
    for (const headers of sent) {
      expect(headers.get('x-hasura-role')).toBe('editor');
      expect(headers.get('x-hasura-admin-secret')).toBe('secret');
    }
  });

  it('opens the account once', async () => {
    const { client } = start();
    expect(await client.account()).toBe(await client.account());
    client.stop();
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

function start(caller: Caller = {}) {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: clock.now });
  const authorizations: (string | null)[] = [];
  const sent: Headers[] = [];
  const client = createClient({
    services: { auth: 'http://b/auth', graphql: 'http://b/graphql', logs: 'http://b/logs' },
    clock,
    storage: createMemoryStorage(),
    ...caller,
    fetch: async (url, init) => {
      sent.push(new Headers(init?.headers));
      if (url.startsWith('http://b/auth')) return backend.fetch(url, init);
      authorizations.push(new Headers(init?.headers).get('authorization'));
      return Response.json({ data: { insert_resources_one: { id: 'new' } } });
    },
  });
  return { client, clock, authorizations, sent };
}
