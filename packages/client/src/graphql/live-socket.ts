import type { Client as SocketClient } from 'graphql-ws/client';
import type { Clock } from '../ports.ts';
import { createSocketWatch } from './socket-watch.ts';

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
 * One websocket for all live queries, open until it is disposed of. It never reconnects by itself: each
 * live query begins again on its own, which has the same effect once. The library's own timers stay off,
 * because they would not run on our clock.
 */
export async function createLiveSocket(deps: LiveSocketDeps): Promise<SocketClient> {
  const { clock, onOpen, onLost } = deps;
  // Loaded on first use: whoever only signs in need not fetch it.
  const { createClient } = await import('graphql-ws/client');
  let open: { send(message: string): void } | undefined;
  const watch = createSocketWatch({
    clock,
    ping: () => open?.send(JSON.stringify({ type: 'ping' })),
    giveUp: () => socket.terminate(),
  });

  const socket = createClient({
    url: deps.url.replace(/^http/, 'ws'),
    webSocketImpl: deps.webSocket,
    lazy: false,
    onNonLazyError: () => undefined,
    retryAttempts: 0,
    connectionParams: async () => ({ headers: await deps.headers() }),
    on: {
      connecting: watch.connecting,
      opened: (opened) => {
        open = opened as typeof open;
        watch.opened();
      },
      connected: () => {
        watch.acknowledged();
        onOpen();
      },
      message: watch.heard,
      closed: () => {
        watch.closed();
        onLost();
      },
    },
  });
  return {
    ...socket,
    dispose() {
      watch.closed();
      return socket.dispose();
    },
  };
}
