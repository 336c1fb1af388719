import {
  buildUser,
  createFakeAuth,
  eventually,
  type HttpServer,
  serveHttp,
  systemClock,
} from '@longshore/testkit';
import { buildSchema } from 'graphql';
import { useServer as serveProtocol } from 'graphql-ws/use/ws';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Caller } from '../http/caller-headers.ts';
import type { RequestError } from '../http/request-result.ts';
import { createLiveQueries } from './live-queries.ts';

const SUBSCRIPTION = 'subscription Greeting { greeting }';
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('a live query', () => {
  it('delivers the first result and every change', async () => {
    const backend = await serveLive();
    const { greetings, live } = watch(backend.url);
    await eventually(() => greetings.length === 1);
    backend.greet('again');
    await eventually(() => greetings.length === 2);
    expect(greetings).toEqual(['hello token-1', 'again']);
    expect(live.connection.state()).toBe('open');
  });

  it.each<[string, Caller, object]>([
    ['the token', {}, { Authorization: 'Bearer token-1' }],
    [
      'the token and the role',
      { role: 'editor' },
      { Authorization: 'Bearer token-1', 'x-hasura-role': 'editor' },
    ],
    [
      'the admin secret instead of the token',
      { adminSecret: 'secret' },
      { 'x-hasura-admin-secret': 'secret' },
    ],
    [
      'the admin secret and the role',
      { adminSecret: 'secret', role: 'editor' },
      { 'x-hasura-admin-secret': 'secret', 'x-hasura-role': 'editor' },
    ],
  ])('connects with %s', async (_, caller, headers) => {
    const backend = await serveLive();
    const { greetings } = watch(backend.url, { caller });
    await eventually(() => greetings.length === 1);
    expect(backend.connectedWith()).toEqual([{ headers }]);
  });

  it('connects with the role public when nobody is signed in', async () => {
    const backend = await serveLive();
    const { live, auth } = createLive(backend.url);
    auth.signOut();
    live.subscribe(SUBSCRIPTION, {}, { next: () => undefined });
    await eventually(() => backend.connectedWith().length === 1);
    expect(backend.connectedWith()).toEqual([{ headers: { role: 'public' } }]);
  });

  it('opens no socket before the first subscription', async () => {
    const backend = await serveLive();
    const live = createLive(backend.url).live;
    expect(live.connection.state()).toBe('closed');
    expect(backend.sockets()).toBe(0);
  });

  it('shares one socket with other live queries', async () => {
    const backend = await serveLive();
    const { greetings, live } = watch(backend.url);
    const more: unknown[] = [];
    live.subscribe(SUBSCRIPTION, {}, { next: (data) => more.push(data) });
    await eventually(() => greetings.length === 1 && more.length === 1);
    expect(backend.sockets()).toBe(1);
  });

  it('reconnects after the server was offline', async () => {
    const backend = await serveLive();
    const { greetings, live } = watch(backend.url);
    await eventually(() => greetings.length === 1);
    await backend.close();
    await eventually(() => live.connection.state() === 'reconnecting');
    await serveLive(backend.port);
    await eventually(() => greetings.length === 2);
    expect(live.connection.state()).toBe('open');
  });

  it('waits for a server that has not started yet', async () => {
    const backend = await serveLive();
    await backend.close();
    const { greetings, live } = watch(backend.url);
    await eventually(() => live.connection.state() === 'reconnecting');
    await serveLive(backend.port);
    await eventually(() => greetings.length === 1);
  });

  it.each([1001, 1006, 1011, 4400, 4401, 4408, 4500])(
    'reconnects after close code %i',
    async (code) => {
      const backend = await serveLive();
      const { greetings } = watch(backend.url);
      await eventually(() => greetings.length === 1);
      backend.closeSockets(code);
      await eventually(() => greetings.length === 2);
    },
  );

  it('refreshes the token when the server rejects the old one', async () => {
    const backend = await serveLive();
    const { greetings } = watch(backend.url);
    await eventually(() => greetings.length === 1);
    backend.rejectToken('token-1');
    backend.closeSockets(4403);
    await eventually(() => greetings.length === 2);
    expect(greetings).toEqual(['hello token-1', 'hello token-2']);
  });

  it('uses a token that was refreshed in the meantime instead of refreshing again', async () => {
    const backend = await serveLive();
    const { greetings, auth } = watch(backend.url);
    await eventually(() => greetings.length === 1);
    await auth.refresh();
    auth.setNextToken('token-3');
    backend.rejectToken('token-1');
    backend.closeSockets(4403);
    await eventually(() => greetings.length === 2);
    expect(greetings.at(-1)).toBe('hello token-2');
  });

  it('opens a new socket for another user', async () => {
    const backend = await serveLive();
    const { auth, live, stopWatching, greetings } = watch(backend.url);
    await eventually(() => greetings.length === 1);
    stopWatching();
    auth.signOut();
    auth.signInAs(buildUser({ id: 'grace' }), 'token-of-grace');
    const received: unknown[] = [];
    live.subscribe(SUBSCRIPTION, {}, { next: (data) => received.push(data) });
    await eventually(() => received.length === 1);
    expect(received).toEqual([{ greeting: 'hello token-of-grace' }]);
  });

  it('delivers nothing after unsubscribing', async () => {
    const backend = await serveLive();
    const { greetings, stopWatching, live } = watch(backend.url);
    await eventually(() => greetings.length === 1);
    stopWatching();
    await eventually(() => backend.listeners() === 0);
    backend.greet('too late');
    expect(greetings).toHaveLength(1);
    expect(live.connection.state()).toBe('closed');
  });

  it('reports and logs an error of the server, and restarts', async () => {
    const backend = await serveLive();
    backend.failNext();
    const { greetings, errors, logged } = watch(backend.url);
    await eventually(() => greetings.length === 1);
    expect(errors).toMatchObject([{ message: 'The database is away' }]);
    expect(logged).toHaveLength(1);
  });
});

function createLive(url: string, options: { caller?: Caller } = {}) {
  const auth = createFakeAuth();
  const logged: unknown[] = [];
  const live = createLiveQueries({
    url,
    auth,
    clock: systemClock,
    webSocket: WebSocket,
    log: (_, error) => logged.push(error),
    ...options,
  });
  cleanups.push(() => live.stop());
  return { live, auth, logged };
}

function watch(url: string, options?: { caller?: Caller }) {
  const { live, auth, logged } = createLive(url, options);
  const greetings: string[] = [];
  const errors: RequestError[] = [];
  const stopWatching = live.subscribe<{ greeting: string }>(
    SUBSCRIPTION,
    {},
    { next: ({ greeting }) => greetings.push(greeting), error: (error) => errors.push(error) },
  );
  return { live, auth, logged, greetings, errors, stopWatching };
}

/** A real server. Its first message contains the token it received; `greet` sends further messages. */
async function serveLive(port = 0) {
  const http: HttpServer = await serveHttp((_, response) => response.end(), port);
  const sockets = new WebSocketServer({ server: http.server, path: '/v1/graphql' });
  const listeners = new Set<(greeting: string) => void>();
  const connectedWith: unknown[] = [];
  let rejectedToken: string | undefined;
  let willFail = false;

  const schema = buildSchema('type Query { ok: Boolean } type Subscription { greeting: String }');
  const protocol = serveProtocol(
    {
      schema,
      onConnect({ connectionParams }) {
        connectedWith.push(connectionParams);
        return rejectedToken === undefined || tokenOf(connectionParams) !== rejectedToken;
      },
      roots: {
        subscription: {
          greeting: (_: unknown, { connectionParams }: { connectionParams?: unknown }) => {
            if (!willFail) return greetingsOf(tokenOf(connectionParams));
            willFail = false;
            throw new Error('The database is away');
          },
        },
      },
      context: ({ connectionParams }) => ({ connectionParams }),
    },
    sockets,
  );

  function greetingsOf(token: string | undefined) {
    const greetings = createQueue([`hello ${token}`]);
    listeners.add(greetings.push);
    return {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: { greeting: await greetings.shift() } }),
        return: async () => {
          listeners.delete(greetings.push);
          return { done: true, value: undefined };
        },
      }),
    };
  }

  let isClosed = false;
  async function close() {
    if (isClosed) return;
    isClosed = true;
    for (const socket of sockets.clients) socket.terminate();
    await protocol.dispose();
    await http.close();
  }
  cleanups.push(close);
  return {
    url: `${http.url}/v1/graphql`,
    port: Number(new URL(http.url).port),
    greet: (greeting: string) => listeners.forEach((listener) => void listener(greeting)),
    listeners: () => listeners.size,
    /** The connection parameters of all sockets. */
    connectedWith: () => connectedWith,
    sockets: () => sockets.clients.size,
    rejectToken: (token: string) => {
      rejectedToken = token;
    },
    failNext: () => {
      willFail = true;
    },
    closeSockets: (code: number) => {
      for (const socket of sockets.clients) {
        if (code === 1006) socket.terminate();
        else socket.close(code, 'cut');
      }
    },
    close,
  };
}

function tokenOf(connectionParams: unknown): string | undefined {
  const { headers } = (connectionParams ?? {}) as { headers?: { Authorization?: string } };
  return headers?.Authorization?.replace('Bearer ', '');
}

function createQueue(waiting: string[]) {
  let resolveShift: ((greeting: string) => void) | undefined;
  return {
    push(greeting: string) {
      if (resolveShift === undefined) waiting.push(greeting);
      else resolveShift(greeting);
      resolveShift = undefined;
    },
    shift: () =>
      new Promise<string>((resolve) => {
        const first = waiting.shift();
        if (first === undefined) resolveShift = resolve;
        else resolve(first);
      }),
  };
}
