import { SOCKET_INACTIVITY_MS } from '@longshore/contract';
import type { Client as SocketClient } from 'graphql-ws/client';
import type { Auth } from '../auth/auth.ts';
import { bearerOrPublicRole, type Caller, callerHeaders } from '../http/caller-headers.ts';
import { graphqlError, type RequestError } from '../http/request-result.ts';
import type { Clock, Log } from '../ports.ts';
import { reconnectDelayMs } from '../timing/backoff.ts';
import { wait } from '../timing/wait.ts';
import { type Connection, createConnection } from './connection.ts';
import type { Graphql, LiveObserver, Variables } from './graphql.ts';
import { createLiveSocket } from './live-socket.ts';

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

/** Live queries over one websocket. They restart after network outages, server restarts and expired tokens. */
export function createLiveQueries(deps: LiveQueriesDeps): LiveQueries {
  const { clock, auth, log } = deps;
  const connection = createConnection();
  const running = new Set<AbortController>();
  let socket: Promise<SocketClient> | undefined;
  let idleTimer: unknown;
  let userId = userIdOf(auth);
  let usedToken: string | undefined;

  // A socket is authenticated as one user; another user needs a new socket.
  const stopWatching = auth.subscribe(() => {
    if (userIdOf(auth) === userId) return;
    userId = userIdOf(auth);
    closeSocket();
  });

  function subscribe(document: string, variables: Variables, observer: Observer) {
    const controller = new AbortController();
    clock.clearTimeout(idleTimer);
    running.add(controller);
    connection.dispatch('wanted');
    void keepLive({ document, variables }, observer, controller.signal);
    return () => {
      controller.abort();
      if (running.delete(controller) && running.size === 0) closeWhenIdle();
    };
  }

  /** The socket stays open for a while, for subscriptions that start soon (spec-map 9.3.9). */
  function closeWhenIdle(): void {
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
      if (end.kind === 'lost' || end.kind === 'token-rejected') connection.dispatch('lost');
      failedAttempts += 1;
      await wait(clock, reconnectDelayMs(failedAttempts), signal);
      if (end.kind === 'token-rejected') await renewToken();
    }
  }

  async function runOnce(query: Query, observer: Observer, signal: AbortSignal): Promise<LiveEnd> {
    // Refreshed before the socket opens, because the server waits only seconds for the first message.
    await auth.accessToken();
    // Unsubscribed in the meantime: opening a socket now would leave it open.
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

  /** Another tab or the timer may have refreshed the token since the rejected one was used. */
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
        return callerHeaders(bearerOrPublicRole(usedToken), deps.caller ?? {});
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
      for (const controller of running) controller.abort();
      running.clear();
      connection.dispatch('released');
      closeSocket();
    },
  };
}

/** Why a live query stopped. */
type LiveEnd =
  | { kind: 'stopped' }
  | { kind: 'lost' }
  | { kind: 'token-rejected' }
  | { kind: 'failed'; error: RequestError };

/** The server's close code for an invalid or expired token. */
const FORBIDDEN = 4403;

/** The socket library passes GraphQL errors, a close event or a network error. */
function liveEndOf(reason: unknown): LiveEnd {
  if (Array.isArray(reason)) return { kind: 'failed', error: graphqlError(reason) };
  const code =
    typeof reason === 'object' && reason !== null && 'code' in reason ? reason.code : undefined;
  return code === FORBIDDEN ? { kind: 'token-rejected' } : { kind: 'lost' };
}

function userIdOf(auth: Pick<Auth, 'state'>): string | undefined {
  const state = auth.state();
  return state.kind === 'signed-in' ? state.user.id : undefined;
}
