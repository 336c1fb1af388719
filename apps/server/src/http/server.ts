import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import { type OriginSettings, upgradeProblem } from './host-check.ts';
import { Problem, problemBody } from './problem.ts';
import { refuseSocket, unreadableRequest } from './refuse-request.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** `port` 0 picks a free one. `path`: of a unix socket. */
export type ListenAddress = { host: string; port: number } | { path: string };

export type HttpServerDeps = OriginSettings & {
  app: { fetch: Hono['fetch'] };
  /** Websocket handlers by path; every other upgrade is refused. */
  upgrades: Record<string, (request: IncomingMessage, socket: Duplex, head: Buffer) => void>;
  /** Below these paths a request may take `uploadMs` instead of `requestMs`. */
  uploads?: readonly string[];
  limits?: Partial<typeof LIMITS>;
};

export type HttpServer = {
  port: number;
  /** Keeps serving for this time, but closes each connection after its response: clients connect to another server. */
  drain(forMs: number): Promise<void>;
  stop(): Promise<void>;
};

const LIMITS = {
  headersMs: 10_000,
  requestMs: 60_000,
  /** The storage service itself ends uploads that stall. */
  uploadMs: 3_600_000,
  checkMs: 2_000,
};
const STOP_MS = 1_000;

/** Throws if it cannot listen. */
export async function startHttpServer(
  deps: HttpServerDeps & ListenAddress & { onConnection?(socket: Socket): void },
): Promise<HttpServer> {
  const server = createLimitedServer(deps);
  server.on('request', (request: IncomingMessage) => limitRequestTime(server, request, deps));
  server.on('upgrade', (request, socket, head) => {
    const path = request.url?.split('?')[0] ?? '/';
    const upgrade = Object.hasOwn(deps.upgrades, path) ? deps.upgrades[path] : undefined;
    if (upgrade === undefined) return refuseSocket(socket, notFound());
    const problem = upgradeProblem(request.headers, deps);
    if (problem !== undefined) refuseSocket(socket, problem);
    else upgrade(request, socket, head);
  });
  server.on('clientError', (error, socket) => {
    // A second response after the first bytes of another would corrupt that one.
    if (socket instanceof Socket && socket.bytesWritten > 0) socket.destroy();
    else refuseSocket(socket, unreadableRequest(error));
  });
  if (deps.onConnection !== undefined) server.on('connection', deps.onConnection);
  const address = 'path' in deps ? { path: deps.path } : { host: deps.host, port: deps.port };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => resolve());
  });
  const { port = 0 } = server.address() as Partial<AddressInfo>;
  return {
    port,
    async drain(forMs) {
      server.prependListener('request', (_, response) => {
        response.shouldKeepAlive = false;
      });
      await delay(forMs);
    },
    stop: () => stop(server),
  };
}

function createLimitedServer({ app, limits }: HttpServerDeps): Server {
  const { headersMs, uploadMs, checkMs } = { ...LIMITS, ...limits };
  return createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: uploadMs,
      connectionsCheckingInterval: checkMs,
      // An upgrade to another protocol, such as h2c, is ignored: the request is served as HTTP/1.1.
      shouldUpgradeCallback: ({ method, headers }) =>
        method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket',
    },
    getRequestListener(app.fetch, { errorHandler: respondUnparsed }),
  );
}

/** Node has a single time limit for all requests, which is set to the longest. Shorter ones are enforced here. */
function limitRequestTime(server: Server, request: IncomingMessage, deps: HttpServerDeps): void {
  if (deps.uploads?.some((path) => request.url?.startsWith(`${path}/`))) return;
  const timer = setTimeout(() => {
    if (!request.complete) server.emit('clientError', requestTimeout(), request.socket);
  }, deps.limits?.requestMs ?? LIMITS.requestMs);
  request.once('close', () => clearTimeout(timer));
}

/** The error that Node itself emits. */
function requestTimeout(): Error {
  return Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

/** For requests without a valid URL, which no route can serve. */
function respondUnparsed(error: unknown): Response {
  const problem =
    error instanceof RequestError
      ? unreadableRequest(error)
      : new Problem(500, 'internal-server-error', 'Internal server error');
  return Response.json(problemBody(problem), {
    status: problem.status,
    headers: SECURITY_HEADERS,
  });
}

function notFound(): Problem {
  return new Problem(404, 'not-found', 'There is nothing at this path');
}

/** Lets running requests finish for a while; log streams never end by themselves. */
async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearTimeout(cut);
}
