import { mkdtemp, rm, stat } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppRoute, CONSOLE_ID, type StateChange } from '@longshore/edge-contract';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SOCKET_FOR_EDGE } from '../edge/console-socket.ts';
import { clientOf, createConnectionReader, identifyClients } from '../http/client.ts';
import { startHttpServer } from '../http/server.ts';
import { serveConsoleThroughEdge } from './console-through-edge.ts';
import type { ServerContext } from './server-context.ts';

const HOST = 'console.example.com';
const FORGED = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };

async function start({ hasHost = true, folder = '' } = {}) {
  const parent = await mkdtemp(join(tmpdir(), 'longshore-console-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const dataDir = join(parent, folder);
  const changes: StateChange[] = [];
  const stops: (() => unknown)[] = [];
  const edgeSockets = new WeakSet<object>();
  const app = new Hono()
    .use(identifyClients(createConnectionReader({ isTrustedProxy: undefined, edgeSockets })))
    .get('/', (context) => context.json(clientOf(context)));
  const served = { app, publicUrl: `https://${HOST}`, allowedOrigins: [], upgrades: {} };
  const context = {
    config: { consoleHost: hasHost ? HOST : undefined, hsts: true },
    shutdown: { add: (stop: () => unknown) => stops.push(stop) },
    edgeSockets,
  } as unknown as ServerContext;
  const edge = { identity: undefined, change: (change: StateChange) => changes.push(change) };
  const server = await startHttpServer({ ...served, host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    for (const stop of stops.toReversed()) await stop();
    await server.stop();
  });
  await serveConsoleThroughEdge(context, served, { dataDir, edge: edge as never });
  return { changes, dataDir, port: server.port };
}

function get(target: { socketPath: string } | { port: number }): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const headers = { host: HOST, ...FORGED };
    const request = httpRequest({ ...target, headers, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve(JSON.parse(body)));
    });
    request.on('error', reject).end();
  });
}

describe('the console through the edge', () => {
  it('trusts the visitor that the edge names', async () => {
    const { dataDir } = await start();
    const socketPath = join(dataDir, 'edge', SOCKET_FOR_EDGE);
    expect(await get({ socketPath })).toMatchObject({ address: '203.0.113.7', isProxied: true });
  });

  it('trusts nobody at its own port', async () => {
    const { port } = await start();
    expect(await get({ port })).toMatchObject({ address: '127.0.0.1', isProxied: false });
  });

  it('gives the edge a route', async () => {
    const { changes } = await start();
    const route: AppRoute = {
      appId: CONSOLE_ID,
      hosts: [HOST],
      state: { kind: 'live', targets: [{ socket: SOCKET_FOR_EDGE, state: 'ready' }] },
      policy: { hsts: true },
    };
    expect(changes).toEqual([{ routes: [route] }]);
  });

  it('lets no other user reach the socket', async () => {
    const { dataDir } = await start();
    const { mode } = await stat(join(dataDir, 'console-socket'));
    expect(mode & 0o777).toBe(0o700);
  });

  it('works below a long path', async () => {
    const { dataDir } = await start({ folder: 'x'.repeat(120) });
    expect((await stat(join(dataDir, 'console-socket/edge.sock'))).isSocket()).toBe(true);
  });

  it('is off without a host', async () => {
    const { changes } = await start({ hasHost: false });
    expect(changes).toEqual([]);
  });
});
