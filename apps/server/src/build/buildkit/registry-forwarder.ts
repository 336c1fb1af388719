import { once } from 'node:events';
import {
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import {
  type ForwardedRepositories,
  forwardedHeaders,
  judgeRequest,
  returnedHeaders,
} from './forwarded-request.ts';

export type ForwardedRegistry = ForwardedRepositories & {
  /** Origins of the registry. The next one is tried when there is no response. */
  origins: [string, ...string[]];
  /** Whether any certificate is accepted. */
  isInsecure: boolean;
};

export type ForwarderLimits = {
  /** Without progress. */
  idleMs: number;
  totalMs: number;
  /** A builder has one address. */
  connectionsPerAddress: number;
};

const DEFAULT_LIMITS: ForwarderLimits = {
  idleMs: 60_000,
  totalMs: 30 * 60_000,
  connectionsPerAddress: 32,
};
const HEADERS_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_CONNECTIONS = 1_024;

export type RegistryForwarder = { port: number; close(): Promise<void> };

/**
 * Lets builders pull images from one registry that they cannot reach themselves, such as one on the loopback address of this
 * machine. Build steps are hostile clients: see `judgeRequest` for what they can ask.
 */
export async function startRegistryForwarder(
  registry: ForwardedRegistry,
  { host = '127.0.0.1', port = 0, limits = DEFAULT_LIMITS } = {},
): Promise<RegistryForwarder> {
  const upstream = createUpstream(registry, limits.idleMs);
  const isBusy = new WeakSet<Socket>();
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
    },
    async (request, response) => {
      const { socket } = request;
      // BuildKit sends one request at a time. Others could start any number of them over one connection.
      if (isBusy.has(socket)) {
        socket.destroy();
        return;
      }
      isBusy.add(socket);
      const ended = new AbortController();
      const deadline = setTimeout(() => ended.abort(), limits.totalMs);
      response.once('close', () => ended.abort());
      try {
        await forward({ request, response }, registry, (sent) => upstream.ask(sent, ended.signal));
      } catch {
        // The registry failed or the client left. BuildKit then asks the next registry, as if this one were unreachable.
        socket.destroy();
      } finally {
        clearTimeout(deadline);
        isBusy.delete(socket);
      }
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(limits.idleMs);
  limitConnections(server, limits.connectionsPerAddress);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      upstream.close();
      await closed;
    },
  };
}

/** So that one builder cannot take all connections. */
function limitConnections(server: Server, maxPerAddress: number): void {
  const open = new Map<string, number>();
  const change = (address: string, by: number) => {
    const count = (open.get(address) ?? 0) + by;
    if (count === 0) open.delete(address);
    else open.set(address, count);
    return count;
  };
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    socket.once('close', () => change(address, -1));
    if (change(address, 1) > maxPerAddress) socket.destroy();
  });
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

async function forward(
  { request, response }: Exchange,
  registry: ForwardedRegistry,
  ask: (request: UpstreamRequest) => Promise<Answer>,
): Promise<void> {
  const { method = '', url = '', headers } = request;
  const verdict = judgeRequest({ method, url, headers }, registry);
  if (verdict.kind === 'refuse') return refuse(response, verdict.status);
  const { from, answer } = await ask({
    method,
    path: verdict.path,
    headers: forwardedHeaders(headers),
  });
  const returned = returnedHeaders(answer.headers, from, registry);
  if (returned === undefined) {
    answer.destroy();
    return refuse(response, 502);
  }
  response.writeHead(answer.statusCode ?? 502, returned);
  await pipeline(answer, response);
}

/** The connection ends, because the request may have a body that nobody reads. */
function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close', 'content-length': 0 }).end();
}

type UpstreamRequest = { method: string; path: string; headers: Record<string, string> };
type Answer = { from: URL; answer: IncomingMessage };
type Upstream = {
  ask(request: UpstreamRequest, signal: AbortSignal): Promise<Answer>;
  close(): void;
};

function createUpstream({ origins, isInsecure }: ForwardedRegistry, idleMs: number): Upstream {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true, rejectUnauthorized: !isInsecure }),
  };

  async function askAt(
    origin: string,
    { path, ...request }: UpstreamRequest,
    signal: AbortSignal,
  ): Promise<Answer> {
    const from = new URL(path, origin);
    const isHttps = from.protocol === 'https:';
    const sent = (isHttps ? httpsRequest : httpRequest)(from, {
      ...request,
      signal,
      agent: agents[isHttps ? 'https:' : 'http:'],
      timeout: idleMs,
    });
    sent.once('timeout', () => sent.destroy(new Error('The registry does not respond')));
    // Also emitted after the response began, whose stream fails then as well.
    sent.on('error', () => {});
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { from, answer };
  }

  return {
    async ask(request, signal) {
      const [first, ...others] = origins;
      let answer = askAt(first, request, signal);
      for (const origin of others) {
        answer = answer.catch(() => askAt(origin, request, signal));
      }
      return await answer;
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
