import { createRequire } from 'node:module';
import { createClient } from 'graphql-ws-5';

const require = createRequire(import.meta.url);
const { SubscriptionClient } =
  require('subscriptions-transport-ws') as typeof import('subscriptions-transport-ws');

export type LiveRequest = { query: string; variables?: Record<string, unknown> };

/** A published websocket client. */
export type LiveClient = {
  /** Receives every result. Returns a function that stops it. */
  follow(request: LiveRequest, observer: Heard): () => void;
  /** The number of connections so far. */
  connections(): number;
  stop(): void;
};

export type Heard = {
  next(result: { data?: unknown; errors?: unknown }): void;
  error?(error: unknown): void;
  complete?(): void;
};

/** `accessToken` is called for every connection. */
type Connect = (url: string, accessToken: () => Promise<string>) => LiveClient;

const NO_OP = { error() {}, complete() {} };

/** The client of the specification's console. */
const connectLegacy: Connect = (url, accessToken) => {
  let connections = 0;
  const client = new SubscriptionClient(
    socketUrl(url),
    {
      lazy: true,
      reconnect: true,
      timeout: 30_000,
      inactivityTimeout: 30_000,
      connectionParams: async () => ({
        headers: { Authorization: `Bearer ${await accessToken()}` },
      }),
    },
    WebSocket,
  );
  for (const event of [client.onConnected, client.onReconnected]) {
    event.call(client, () => {
      connections += 1;
    });
  }
  return {
    follow(request, observer) {
      return client.request(request).subscribe({ ...NO_OP, ...observer } as never).unsubscribe;
    },
    connections: () => connections,
    stop: () => client.close(),
  };
};

const connectModern: Connect = (url, accessToken) => {
  let connections = 0;
  const client = createClient({
    url: socketUrl(url),
    webSocketImpl: WebSocket,
    retryWait: async () => {},
    connectionParams: async () => ({ headers: { authorization: `Bearer ${await accessToken()}` } }),
    on: {
      connected: () => {
        connections += 1;
      },
    },
  });
  return {
    follow: (request, observer) => client.subscribe(request, { ...NO_OP, ...observer } as never),
    connections: () => connections,
    stop: () => void client.dispose(),
  };
};

export const LIVE_CLIENTS: [name: string, connect: Connect][] = [
  ['subscriptions-transport-ws', connectLegacy],
  ['graphql-ws 5', connectModern],
];

function socketUrl(url: string): string {
  return `${url.replace(/^http/, 'ws')}/v1/graphql`;
}
