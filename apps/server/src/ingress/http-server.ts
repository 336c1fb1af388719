import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyFraming } from './body-framing.ts';
import { LIMITS } from './limits.ts';

const IDLE_SWEEP_MS = 50;

type ServerTimeouts = { headersMs: number; idleMs: number };

/** An HTTP server with the limits of the ingress. Emits `upgrade` for websocket handshakes only. */
export function createIngressServer({ headersMs, idleMs }: ServerTimeouts): Server {
  const server = createServer({
    headersTimeout: headersMs,
    // An upload may take any time as long as bytes arrive.
    requestTimeout: 0,
    keepAliveTimeout: LIMITS.keepAliveMs,
    connectionsCheckingInterval: Math.min(headersMs, LIMITS.connectionCheckMs),
    noDelay: true,
    keepAlive: true,
    shouldUpgradeCallback: isWebsocketHandshake,
  });
  server.timeout = idleMs;
  server.maxConnections = LIMITS.connections;
  // The total header size is limited; a limit on the number of headers would silently drop some of them.
  server.maxHeadersCount = 0;
  return server;
}

/** Other upgrades, such as clear-text HTTP/2, would bypass routing: they are forwarded as plain requests. */
function isWebsocketHandshake({ method, headers }: IncomingMessage): boolean {
  const isWebsocket = headers.upgrade?.toLowerCase() === 'websocket';
  return isWebsocket && method === 'GET' && bodyFraming(headers).kind === 'none';
}

export function listen(server: Server, host: string, port: number): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port });
    });
  });
}

/** Closes idle connections at once, busy ones when their response is sent or the timeout is over. */
export async function stopServer(
  server: Server,
  timeoutMs: number,
  onTimeout: () => void,
): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const idleSweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const timeout = setTimeout(() => {
    server.closeAllConnections();
    onTimeout();
  }, timeoutMs);
  await closed;
  clearInterval(idleSweep);
  clearTimeout(timeout);
}
