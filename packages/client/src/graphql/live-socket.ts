import type { Client as SocketClient } from 'graphql-ws/client';
import type { Clock } from '../ports.ts';
import { createSocketKeepalive } from './socket-keepalive.ts';

export type LiveSocketDeps = {
  /** The URL of the HTTP endpoint. */
  url: string;
  clock: Clock;
  webSocket: unknown;
  headers(): Promise<Record<string, string>>;
  onOpen(): void;
  onLost(): void;
};

/**
 * One websocket for all live queries, open until it is disposed of. It does not reconnect by itself: each live query
 * subscribes again, and the first one opens a new socket. The timers of the library stay off, because they do not use the
 * `Clock` port.
 */
export async function createLiveSocket(deps: LiveSocketDeps): Promise<SocketClient> {
  const { clock, onOpen, onLost } = deps;
  // Loaded on first use, so that the sign-in page does not need it.
  const { createClient } = await import('graphql-ws/client');
  let open: { send(message: string): void } | undefined;
  const keepalive = createSocketKeepalive({
    clock,
    ping: () => open?.send(JSON.stringify({ type: 'ping' })),
    terminate: () => socket.terminate(),
  });

  const socket = createClient({
    url: deps.url.replace(/^http/, 'ws'),
    webSocketImpl: deps.webSocket,
    lazy: false,
    onNonLazyError: () => undefined,
    retryAttempts: 0,
    connectionParams: async () => ({ headers: await deps.headers() }),
    on: {
      connecting: keepalive.connecting,
      opened: (opened) => {
        open = opened as typeof open;
        keepalive.opened();
      },
      connected: () => {
        keepalive.acknowledged();
        onOpen();
      },
      message: keepalive.messageReceived,
      closed: () => {
        keepalive.closed();
        onLost();
      },
    },
  });
  return {
    ...socket,
    dispose() {
      keepalive.closed();
      return socket.dispose();
    },
  };
}
