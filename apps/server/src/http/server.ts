import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';

export type HttpServerDeps = {
  app: { fetch: Hono['fetch'] };
  host: string;
  port: number;
  /** Websockets by path; any other upgrade is refused. */
  upgrades: Record<string, (request: IncomingMessage, socket: Duplex, head: Buffer) => void>;
};

export type HttpServer = { stop(): Promise<void> };

const STOP_MS = 1_000;

/** Listens, or throws why it cannot. */
export async function startHttpServer({
  app,
  host,
  port,
  upgrades,
}: HttpServerDeps): Promise<HttpServer> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.on('upgrade', (request, socket, head) => {
    const path = new URL(request.url ?? '/', 'http://here').pathname;
    const upgrade = Object.hasOwn(upgrades, path) ? upgrades[path] : undefined;
    if (upgrade === undefined) socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
    else upgrade(request, socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return { stop: () => stop(server) };
}

/** Lets what is under way finish, but not for ever: a log stream would never. */
async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearTimeout(cut);
}
