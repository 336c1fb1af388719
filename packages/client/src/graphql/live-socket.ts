import { SOCKET_INACTIVITY_MS, SOCKET_TIMEOUT_MS } from '@longshore/contract';
import type { Client as SocketClient } from 'graphql-ws/client';
import type { Clock } from '../ports.ts';

/** A silent connection is dead after 30 s: asked after 20, given up 10 later. Spec §9. */
const PING_AFTER_MS = 20_000;
const PONG_WITHIN_MS = SOCKET_TIMEOUT_MS - PING_AFTER_MS;

export type LiveSocketDeps = {
  /** The address of the HTTP endpoint. */
  url: string;
  clock: Clock;
  webSocket: unknown;
  headers(): Promise<Record<string, string>>;
  onOpen(): void;
  onLost(): void;
};

/**
 * One websocket for all live queries, opened by the first and closed 30 s after the last. It never
 * reconnects by itself: each live query begins again on its own, which has the same effect once.
 */
export async function createLiveSocket(deps: LiveSocketDeps): Promise<SocketClient> {
  const { clock, onOpen, onLost } = deps;
  // Loaded on first use: whoever only signs in need not fetch it.
  const { createClient } = await import('graphql-ws/client');
  let pongTimer: unknown;

  const socket = createClient({
    url: deps.url.replace(/^http/, 'ws'),
    webSocketImpl: deps.webSocket,
    lazy: true,
    lazyCloseTimeout: SOCKET_INACTIVITY_MS,
    connectionAckWaitTimeout: SOCKET_TIMEOUT_MS,
    keepAlive: PING_AFTER_MS,
    retryAttempts: 0,
    connectionParams: async () => ({ headers: await deps.headers() }),
    on: {
      connected: onOpen,
      ping: (isReceived) => {
        if (!isReceived) pongTimer = clock.setTimeout(() => socket.terminate(), PONG_WITHIN_MS);
      },
      pong: (isReceived) => {
        if (isReceived) clock.clearTimeout(pongTimer);
      },
      closed: () => {
        clock.clearTimeout(pongTimer);
        onLost();
      },
    },
  });
  return socket;
}
