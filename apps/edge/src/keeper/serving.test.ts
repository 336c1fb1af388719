import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createEdgeInstallation,
  type EdgeInstallation,
  processesOf,
} from '../../test/edge-processes.ts';
import { startTestApp, type TestApp, visit } from '../../test/visitors.ts';

let app: TestApp;
let edge: EdgeInstallation;

beforeEach(async () => {
  app = await startTestApp();
  edge = createEdgeInstallation();
});

afterEach(async () => {
  await edge.remove();
  await app.stop();
});

async function stopEdge(): Promise<void> {
  const server = await edge.connect();
  server.send({ kind: 'stop', drainMs: 1_000 });
  await expect.poll(() => processesOf(edge.folder)).toEqual([]);
}

it('serves a route through launch, keeper and worker', async () => {
  const port = await edge.start();
  await (await edge.connect()).sync({ routes: [app.route()] });
  expect(await visit(port, { path: '/x' })).toBe('200 app /x');
});

it('serves while no server is connected', async () => {
  const port = await edge.start();
  const server = await edge.connect();
  await server.sync({ routes: [app.route()] });
  server.close();
  expect(await visit(port)).toBe('200 app /');
});

it('serves from its snapshot after a restart, before any server connects', async () => {
  await edge.start();
  await (await edge.connect()).sync({ routes: [app.route()] });
  await stopEdge();
  const port = await edge.start();
  expect(await visit(port)).toBe('200 app /');
});

it('has no plain text of routes or keys in its snapshot', async () => {
  await edge.start();
  const certificate = { id: 'c', names: ['a.test'], chain: 'CHAIN', key: 'PRIVATE-KEY' };
  await (await edge.connect()).sync({ routes: [app.route()], certificates: [certificate] });
  await stopEdge();
  const snapshot = readFileSync(join(edge.folder, 'snapshot'), 'latin1');
  expect(snapshot).not.toMatch(/a\.test|PRIVATE-KEY/);
});

it('reports a damaged snapshot and serves what the server sends', async () => {
  await edge.start();
  await (await edge.connect()).sync({ routes: [app.route()] });
  await stopEdge();
  const path = join(edge.folder, 'snapshot');
  const snapshot = readFileSync(path);
  snapshot[snapshot.length - 1] = (snapshot.at(-1) ?? 0) ^ 1;
  writeFileSync(path, snapshot);
  const port = await edge.start();
  const server = await edge.connect();
  expect(await server.next('report')).toMatchObject({
    level: 'warn',
    text: expect.stringMatching(/damaged/),
  });
  expect(await visit(port)).toMatch(/^404/);
  await server.sync({ routes: [app.route()] });
  expect(await visit(port)).toBe('200 app /');
});

it('forgets routes that a sync does not name, at its end', async () => {
  const port = await edge.start();
  const server = await edge.connect();
  await server.sync({ routes: [app.route('a'), app.route('b')] });
  server.send({ kind: 'sync', phase: 'begin' });
  server.change({ routes: [app.route('b')] });
  expect(await visit(port, { host: 'a.test' })).toBe('200 app /');
  server.send({ kind: 'sync', phase: 'end' });
  await server.next('synced');
  expect(await visit(port, { host: 'a.test' })).toMatch(/^404/);
  expect(await visit(port, { host: 'b.test' })).toBe('200 app /');
});

it('forgets nothing when the server leaves in the middle of a sync', async () => {
  const port = await edge.start();
  const server = await edge.connect();
  await server.sync({ routes: [app.route('a')] });
  server.send({ kind: 'sync', phase: 'begin' });
  server.close();
  const next = await edge.connect();
  next.send({ kind: 'sync', phase: 'end' });
  await next.sync({ routes: [app.route('a')] });
  expect(await visit(port)).toBe('200 app /');
});

it('wakes an app when the server is back', async () => {
  const port = await edge.start();
  const server = await edge.connect();
  const hibernated = { kind: 'hibernated', wakesOnRequest: true } as const;
  await server.sync({ routes: [{ ...app.route(), state: hibernated }] });
  server.close();
  await server.closed;
  const visitor = visit(port);
  const next = await edge.connect();
  await next.next('wake');
  next.change({ routes: [app.route()] });
  expect(await visitor).toBe('200 app /');
});

it('answers a drain when the last request has ended', async () => {
  const port = await edge.start();
  const held: ServerResponse[] = [];
  const slow = await startTestApp((_request, response) => void held.push(response));
  const server = await edge.connect();
  await server.sync({ routes: [slow.route()] });
  const visitor = visit(port);
  await expect.poll(() => held.length).toBe(1);
  await server.sync({ routes: [app.route()] });
  server.send({ kind: 'drain', id: 7, target: slow.address, timeoutMs: 30_000 });
  expect(await visit(port)).toBe('200 app /');
  expect(server.messages.some(({ kind }) => kind === 'drained')).toBe(false);
  held[0]?.end('slow');
  expect(await visitor).toBe('200 slow');
  expect(await server.next('drained')).toEqual({ kind: 'drained', id: 7 });
  await slow.stop();
});

it('reports an app that had no traffic, once for all workers', async () => {
  await edge.start();
  const server = await edge.connect();
  await server.sync({ routes: [{ ...app.route(), sleepAfterMs: 300 }] });
  expect(await server.next('idle')).toEqual({ kind: 'idle', appId: 'a' });
});

it('forwards the bytes of a TCP port', async () => {
  await edge.start();
  const server = await edge.connect();
  const other = await startTestApp();
  const { port } = other.address;
  await other.stop();
  const targets = [{ ...app.address, state: 'ready' as const }];
  await server.sync({ tcpRoutes: [{ id: 't', port, targets, allowedIps: ['127.0.0.0/8'] }] });
  await expect.poll(() => visit(port).catch(String)).toBe('200 app /');
  server.change({ removedTcpRoutes: ['t'] });
  await expect.poll(() => visit(port).catch(String)).toMatch(/ECONNREFUSED/);
});

it('reports a TCP port that is in use', async () => {
  await edge.start();
  const server = await edge.connect();
  const { port } = app.address;
  server.change({ tcpRoutes: [{ id: 't', port, targets: [] }] });
  expect(await server.next('report')).toMatchObject({ text: expect.stringContaining(`${port}`) });
});

it('loads 10,000 routes', async () => {
  const port = await edge.start();
  const server = await edge.connect();
  server.send({ kind: 'sync', phase: 'begin' });
  for (let batch = 0; batch < 10; batch += 1) {
    const ids = Array.from({ length: 1_000 }, (_, index) => `app-${batch}-${index}`);
    server.change({ routes: ids.map((id) => app.route(id)) });
  }
  server.send({ kind: 'sync', phase: 'end' });
  await server.next('synced');
  expect(await visit(port, { host: 'app-9-999.test' })).toBe('200 app /');
});

it('stops when the server asks for it', async () => {
  await edge.start();
  await stopEdge();
});

it('ends when its folder is removed', async () => {
  await edge.start();
  edge.removeFolder();
  await expect.poll(() => processesOf(edge.folder)).toEqual([]);
});
