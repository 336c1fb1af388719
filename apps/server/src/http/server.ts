import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import { Problem, problemBody } from './problem.ts';
import { refuseSocket } from './refuse-socket.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { upgradeProblem } from './strange-callers.ts';
import { unreadableRequest } from './unreadable.ts';

export type HttpServerDeps = {
  app: { fetch: Hono['fetch'] };
  host: string;
  /** 0 picks a free one. */
  port: number;
  publicUrl: string;
  /** Websockets by path; any other upgrade is refused. */
  upgrades: Record<string, (request: IncomingMessage, socket: Duplex, head: Buffer) => void>;
  /** Paths below which bodies may take long. */
  uploads?: readonly string[];
  limits?: Partial<typeof LIMITS>;
};

export type HttpServer = { port: number; stop(): Promise<void> };

const LIMITS = {
  /** A caller must have sent its whole header by then, and its whole body soon after. */
  headersMs: 10_000,
  requestMs: 60_000,
  /** An upload may take longer; its service hangs up on those who send nothing. */
  uploadMs: 3_600_000,
  checkMs: 2_000,
};
const STOP_MS = 1_000;

/** Listens, or throws why it cannot. */
export async function startHttpServer(deps: HttpServerDeps): Promise<HttpServer> {
  const server = createBoundedServer(deps);
  server.on('request', (request: IncomingMessage) => boundBody(server, request, deps));
  server.on('upgrade', (request, socket, head) => {
    const path = request.url?.split('?')[0] ?? '/';
    const upgrade = Object.hasOwn(deps.upgrades, path) ? deps.upgrades[path] : undefined;
    if (upgrade === undefined) return refuseSocket(socket, nothingHere());
    const problem = upgradeProblem(request.headers, deps.publicUrl);
    if (problem !== undefined) refuseSocket(socket, problem);
    else upgrade(request, socket, head);
  });
  server.on('clientError', (error, socket) => {
    // Words in the middle of an answer would be taken for a part of it.
    if (socket instanceof Socket && socket.bytesWritten > 0) socket.destroy();
    else refuseSocket(socket, unreadableRequest(error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(deps.port, deps.host, () => resolve());
  });
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server) };
}

function createBoundedServer({ app, limits }: HttpServerDeps): Server {
  const { headersMs, uploadMs, checkMs } = { ...LIMITS, ...limits };
  return createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: uploadMs,
      connectionsCheckingInterval: checkMs,
      // A wish for anything else, such as HTTP/2, is not granted: the request is answered as it is.
      shouldUpgradeCallback: ({ method, headers }) =>
        method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket',
    },
    getRequestListener(app.fetch, { errorHandler: answerUnread }),
  );
}

/** Node knows one limit for all requests, the longest; the others are held here. */
function boundBody(server: Server, request: IncomingMessage, deps: HttpServerDeps): void {
  if (deps.uploads?.some((path) => request.url?.startsWith(`${path}/`))) return;
  const timer = setTimeout(() => {
    if (!request.complete) server.emit('clientError', requestTimeout(), request.socket);
  }, deps.limits?.requestMs ?? LIMITS.requestMs);
  request.once('close', () => clearTimeout(timer));
}

/** As Node itself would say it. */
function requestTimeout(): Error {
  return Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

/** For requests that have no address to speak of, so that no route could answer. */
function answerUnread(error: unknown): Response {
  const problem =
    error instanceof RequestError
      ? unreadableRequest(error)
      : new Problem(500, 'internal-server-error', 'Internal server error');
  return Response.json(problemBody(problem), {
    status: problem.status,
    headers: SECURITY_HEADERS,
  });
}

function nothingHere(): Problem {
  return new Problem(404, 'not-found', 'There is nothing at this path');
}

/** Lets what is under way finish, but not for ever: a log stream would never. */
async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearTimeout(cut);
}
