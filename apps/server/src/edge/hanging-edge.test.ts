import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monotonicClock } from '@longshore/edge-contract';
import { expect, it, onTestFinished } from 'vitest';
import { connectToEdge } from './control-connection.ts';
import { edgeProcesses, killEdgeProcesses, killKeepers } from './edge-processes.ts';
import { ensureEdge } from './ensure-edge.ts';
import { prepareEdge } from './open-edge.ts';
import { stopEdge } from './stop-edge.ts';

const isRoot = process.getuid?.() === 0;

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A real edge with one app. */
async function startEdge() {
  const dataDir = mkdtempSync(join(tmpdir(), 'longshore-hanging-'));
  chmodSync(dataDir, 0o711);
  const { signal } = new AbortController();
  const config = {
    dataDir,
    edge: 'auto' as const,
    edgeHost: '127.0.0.1',
    ingressPort: await freePort(),
    httpsPort: undefined,
    publicUrl: 'http://localhost:1337',
    network: '10.0.0.0/8',
    proxyProtocol: false,
    edgeTrustedProxies: [],
    consoleHost: undefined,
    remoteEdges: undefined,
  };
  const edge = await prepareEdge({ config, dataDir, isRoot, signal });
  const { folder } = edge.installed;
  onTestFinished(async () => {
    await killEdgeProcesses(edgeProcesses(folder));
    rmSync(dataDir, { recursive: true, force: true });
  });
  const ensure = () =>
    ensureEdge(
      {
        connect: (onMessage) => connectToEdge(edge.target, onMessage, 1_000),
        killHanging: () => killKeepers(folder),
        launch: () => edge.launch('inherited'),
        wanted: { ...edge.installed, listeners: edge.listeners },
        clock: monotonicClock,
      },
      () => {},
      signal,
    );
  return { ensure, folder, dataDir, port: config.ingressPort };
}

async function startApp(): Promise<{ host: string; port: number }> {
  const app = createServer((_request, response) => void response.end('served'));
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void app.close());
  return { host: '127.0.0.1', port: (app.address() as AddressInfo).port };
}

async function statusOf(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  await response.text();
  return response.status;
}

it('replaces a keeper that hangs while its workers serve', async () => {
  const { ensure, folder, port } = await startEdge();
  const app = await startApp();
  const first = await ensure();
  const targets = [{ ...app, state: 'ready' as const }];
  const route = { appId: 'a', hosts: ['127.0.0.1'], state: { kind: 'live' as const, targets } };
  first.send({ kind: 'change', change: { routes: [route] } });
  await expect.poll(() => statusOf(port)).toBe(200);
  await expect.poll(() => existsSync(join(folder, 'snapshot'))).toBe(true);
  const [keeper] = edgeProcesses(folder).filter(({ program }) => program === 'keeper.mjs');
  process.kill(keeper?.pid ?? 0, 'SIGSTOP');
  let isReplaced = false;
  const statuses: number[] = [];
  const visits = (async () => {
    // Without root, the kernel may reset a connection that waits on a socket of the old worker.
    while (!isReplaced) statuses.push(await statusOf(port).catch(() => statusOf(port)));
  })();
  const second = await ensure();
  isReplaced = true;
  await visits;
  expect(second.welcome.pid).not.toBe(keeper?.pid);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(0);
});

it('stops an edge whose keeper hangs, and no other process in its folder', async () => {
  const { ensure, folder, dataDir } = await startEdge();
  await ensure();
  const shell = spawn('sleep', ['60'], { cwd: folder });
  onTestFinished(() => void shell.kill());
  const [keeper] = edgeProcesses(folder).filter(({ program }) => program === 'keeper.mjs');
  process.kill(keeper?.pid ?? 0, 'SIGSTOP');
  expect(await stopEdge({ dataDir, keysFolder: join(dataDir, 'keys') })).toBe(true);
  expect(edgeProcesses(folder)).toEqual([]);
  expect(shell.exitCode ?? shell.signalCode).toBeNull();
  expect(await stopEdge({ dataDir, keysFolder: join(dataDir, 'keys') })).toBe(false);
});
