import { SOCKET_INACTIVITY_MS } from '@longshore/contract';
import type { Client as SocketClient } from 'graphql-ws/client';
import type { Auth } from '../auth/auth.ts';
import type { Clock, Log } from '../ports.ts';
import { type Caller, callerHeaders } from '../setup/caller-headers.ts';
import { reconnectDelayMs } from '../timing/backoff.ts';
import { wait } from '../timing/wait.ts';
import { type Connection, createConnection } from './connection.ts';
import type { Graphql, LiveObserver, Variables } from './graphql.ts';
import { type LiveEnd, liveEndOf } from './live-end.ts';
import { createLiveSocket } from './live-socket.ts';
import { bearerOrPublic } from './request-headers.ts';
import { graphqlError } from './request-result.ts';

export type LiveQueriesDeps = {
  url: string;
  clock: Clock;
  log: Log;
  webSocket: unknown;
  caller?: Caller;
  auth: Pick<Auth, 'state' | 'subscribe' | 'accessToken' | 'refresh'>;
};

export type LiveQueries = {
  subscribe: Graphql['subscribe'];
  connection: Connection;
  stop(): void;
};

type Query = { document: string; variables: Variables };
type Observer = LiveObserver<unknown>;
type LiveResult = { data?: unknown; errors?: readonly unknown[] | undefined };

/** Live queries over one websocket that outlives outages, restarts of the server and expired tokens. */
export function createLiveQueries(deps: LiveQueriesDeps): LiveQueries {
  const { clock, auth, log } = deps;
  const connection = createConnection();
  const running = new Set<AbortController>();
  let socket: Promise<SocketClient> | undefined;
  let idleTimer: unknown;
  let userId = userIdOf(auth);
  let usedToken: string | undefined;

  // A socket speaks for the person who opened it; the next person needs another one.
  const stopWatching = auth.subscribe(() => {
    if (userIdOf(auth) === userId) return;
    userId = userIdOf(auth);
    closeSocket();
  });

  function subscribe(document: string, variables: Variables, observer: Observer) {
    const ending = new AbortController();
    clock.clearTimeout(idleTimer);
    running.add(ending);
    connection.dispatch('wanted');
    void keepLive({ document, variables }, observer, ending.signal);
    return () => {
      ending.abort();
      if (running.delete(ending) && running.size === 0) rest();
    };
  }

  /** The socket stays for whoever comes back soon. Spec §9. */
  function rest(): void {
    connection.dispatch('released');
    idleTimer = clock.setTimeout(closeSocket, SOCKET_INACTIVITY_MS);
  }

  async function keepLive(query: Query, observer: Observer, signal: AbortSignal): Promise<void> {
    let failedAttempts = 0;
    while (!signal.aborted) {
      const end = await runOnce(
        query,
        {
          ...observer,
          next(data) {
            failedAttempts = 0;
            connection.dispatch('opened');
            observer.next(data);
          },
        },
        signal,
      );
      if (signal.aborted) return;
      if (end.kind === 'failed') report(observer, end.error);
      if (end.kind === 'lost' || end.kind === 'token-refused') connection.dispatch('lost');
      failedAttempts += 1;
      await wait(clock, reconnectDelayMs(failedAttempts), signal);
      if (end.kind === 'token-refused') await renewToken();
    }
  }

  async function runOnce(query: Query, observer: Observer, signal: AbortSignal): Promise<LiveEnd> {
    // Asked for before the socket opens, because the server waits only seconds for the first message.
    await auth.accessToken();
    // Whoever left meanwhile must not open a socket that nobody closes.
    if (signal.aborted) return { kind: 'stopped' };
    const client = await currentSocket().catch(() => undefined);
    if (client === undefined) return { kind: 'lost' };
    if (signal.aborted) return { kind: 'stopped' };
    return new Promise((resolve) => {
      const unsubscribe = client.subscribe(
        { query: query.document, variables: query.variables },
        {
          next: (result) => deliver(result, observer),
          error: (reason) => finish(liveEndOf(reason)),
          complete: () => finish({ kind: 'stopped' }),
        },
      );
      signal.addEventListener('abort', unsubscribe);
      function finish(end: LiveEnd) {
        signal.removeEventListener('abort', unsubscribe);
        resolve(end);
      }
    });
  }

  function deliver({ data, errors }: LiveResult, observer: Observer): void {
    if (errors !== undefined && errors.length > 0) report(observer, graphqlError(errors));
    if (data) observer.next(data);
  }

  function report(observer: Observer, error: ReturnType<typeof graphqlError>): void {
    log('live query failed', error);
    observer.error?.(error);
  }

  /** Another tab or the timer may have brought a new token since the refused one was used. */
  async function renewToken(): Promise<void> {
    if ((await auth.accessToken()) === usedToken) await auth.refresh();
  }

  function currentSocket(): Promise<SocketClient> {
    socket ??= createLiveSocket({
      ...deps,
      onOpen: () => connection.dispatch('opened'),
      onLost: () => connection.dispatch('lost'),
      async headers() {
        usedToken = await auth.accessToken();
        return callerHeaders(bearerOrPublic(usedToken), deps.caller ?? {});
      },
    });
    socket.catch(() => {
      socket = undefined;
    });
    return socket;
  }

  function closeSocket(): void {
    void socket?.then((client) => client.dispose()).catch(() => undefined);
    socket = undefined;
  }

  return {
    subscribe: subscribe as Graphql['subscribe'],
    connection,
    stop() {
      stopWatching();
      clock.clearTimeout(idleTimer);
      for (const ending of running) ending.abort();
      running.clear();
      connection.dispatch('released');
      closeSocket();
    },
  };
}

function userIdOf(auth: Pick<Auth, 'state'>): string | undefined {
  const state = auth.state();
  return state.kind === 'signed-in' ? state.user.id : undefined;
}
