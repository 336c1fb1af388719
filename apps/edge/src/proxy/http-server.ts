import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { unmapped } from '@longshore/edge-contract';
import { LIMITS, type ProxyLimits } from './limits.ts';
import type { EdgeProxy, VisitorConnection } from './proxy.ts';
import { readHeaders } from './request-head.ts';
import { VisitorRequest } from './visitor-request.ts';
import { VisitorResponse } from './visitor-response.ts';

const IDLE_SWEEP_MS = 50;

type ServerOptions = {
  limits: ProxyLimits;
  /** What is known about connections that others accepted. The others are plain HTTP. */
  connections?: WeakMap<Socket, VisitorConnection>;
};

/** An HTTP/1.1 server for visitors of the proxy. */
export function createVisitorServer(
  proxy: Pick<EdgeProxy, 'handle' | 'handleUpgrade' | 'isTrustedProxy'>,
  { limits: { headersMs, idleMs }, connections = new WeakMap() }: ServerOptions,
): Server {
  function connectionOf(socket: Socket): VisitorConnection {
    let connection = connections.get(socket);
    if (connection === undefined) {
      const address = unmapped(socket.remoteAddress ?? '');
      const isProxied = proxy.isTrustedProxy(address);
      connection = { address, scheme: 'http', isProxied, openRequests: 0 };
      connections.set(socket, connection);
    }
    return connection;
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const connection = connectionOf(request.socket);
    // Node passes on all requests that it has read, not one after the other.
    if (connection.openRequests >= LIMITS.pipelinedRequests) request.socket.destroy();
    else proxy.handle(request, response, connection);
  }

  const server = createServer({
    headersTimeout: headersMs,
    // An upload may take any time as long as bytes arrive.
    requestTimeout: 0,
    keepAliveTimeout: LIMITS.keepAliveMs,
    connectionsCheckingInterval: Math.min(headersMs, LIMITS.connectionCheckMs),
    noDelay: true,
    optimizeEmptyRequests: true,
    keepAlive: true,
    shouldUpgradeCallback: isWebsocketHandshake,
    IncomingMessage: VisitorRequest,
    ServerResponse: VisitorResponse,
  });
  // Later than the timer of the app's connection, which leads to a response.
  server.timeout = idleMs + LIMITS.lingerMs;
  server.maxConnections = LIMITS.connections;
  // The total header size is limited; a limit on the number of headers would silently drop some of them.
  server.maxHeadersCount = 0;
  return server
    .on('request', handle)
    .on('checkContinue', handle)
    .on('upgrade', (request, socket, head) => {
      if (!(socket instanceof Socket)) return;
      proxy.handleUpgrade(request, { socket, head }, connectionOf(socket));
    });
}

/** Other upgrades, such as clear-text HTTP/2, would bypass routing: they are forwarded as plain requests. */
function isWebsocketHandshake({ method, headers, rawHeaders }: IncomingMessage): boolean {
  const isWebsocket = headers.upgrade?.toLowerCase() === 'websocket';
  return isWebsocket && method === 'GET' && readHeaders(rawHeaders, false).framing.kind === 'none';
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
