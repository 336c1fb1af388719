import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { startSteadyLoad } from '@longshore/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createEdgeInstallation,
  type EdgeInstallation,
  processesOf,
} from '../../test/edge-processes.ts';
import { startTestApp, type TestApp } from '../../test/visitors.ts';
import { LIMITS } from '../proxy/limits.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: unknown.test\r\n\r\n';

/** How many connections make a worker busy. */
const FLOOD = 100;

let app: TestApp;
let edge: EdgeInstallation;
const sockets = new Set<Socket>();

beforeEach(async () => {
  app = await startTestApp();
  edge = createEdgeInstallation();
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await edge.remove();
  await app.stop();
});

function open(port: number): Promise<Socket> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  sockets.add(socket.on('error', () => {}));
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}

/** Keeps many requests in flight: a worker has much more to do with them than this process. */
async function flood(port: number): Promise<void> {
  const socket = await open(port);
  socket.setEncoding('latin1').on('data', (text: string) => {
    const responses = text.split('HTTP/1.1 ').length - 1;
    if (responses > 0) socket.write(REQUEST.repeat(responses));
  });
  socket.write(REQUEST.repeat(LIMITS.pipelinedRequests - 8));
}

/** The sockets of a process whose other end is one of the given ports of this machine. */
function connectionCount(pid: number, peers: ReadonlySet<number | undefined>): number {
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      return '';
    }
  });
  const own = new Set(targets);
  const rows = ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/net/${file}`, 'utf8').trim().split('\n').slice(1),
  );
  return rows.filter((row) => {
    const columns = row.trim().split(/\s+/);
    const peer = Number.parseInt(columns[2]?.split(':')[1] ?? '', 16);
    return peers.has(peer) && own.has(`socket:[${columns[9]}]`);
  }).length;
}

/** Lets many visitors come, and counts those of the worker that got the fewest. */
async function fewestVisitors(port: number, workers: readonly number[]): Promise<number> {
  const count = 64 * availableParallelism();
  const visitors = await Promise.all(Array.from({ length: count }, () => visit(port)));
  const ports = new Set(visitors.map(({ localPort }) => localPort));
  const counts = workers.map((pid) => connectionCount(pid, ports));
  for (const visitor of visitors) visitor.destroy();
  return Math.min(...counts);
}

async function visit(port: number): Promise<Socket> {
  const socket = await open(port);
  socket.write(REQUEST);
  await once(socket, 'data');
  return socket;
}

it('starts a worker per core when busy, splits connections between them and loses none', async () => {
  const port = await edge.start();
  const server = await edge.connect();
  await server.sync({ routes: [app.route()] });
  const workers = () => processesOf(edge.folder, 'worker.mjs');
  expect(workers()).toHaveLength(1);
  const load = startSteadyLoad({ port, host: 'a.test', perSecond: 100 });
  await Promise.all(Array.from({ length: FLOOD }, () => flood(port)));
  await expect.poll(workers).toHaveLength(availableParallelism());
  for (const socket of sockets) socket.destroy();
  // The first worker has all connections until the last one listens.
  await expect.poll(() => fewestVisitors(port, workers())).toBeGreaterThan(16);
  await load.stop();
  expect([...load.results.keys()]).toEqual(['200 app /']);
});
