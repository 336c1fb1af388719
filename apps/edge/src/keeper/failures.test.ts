import { readdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type SteadyLoad, startSteadyLoad } from '@longshore/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type ControlClient,
  createEdgeInstallation,
  type EdgeInstallation,
  processesOf,
} from '../../test/edge-processes.ts';
import { startTestApp, type TestApp, visit } from '../../test/visitors.ts';

let app: TestApp;
let edge: EdgeInstallation;
let port: number;
let server: ControlClient;

beforeEach(async () => {
  app = await startTestApp();
  edge = createEdgeInstallation();
  port = await edge.start();
  server = await edge.connect();
  await server.sync({ routes: [app.route()] });
});

afterEach(async () => {
  await edge.remove();
  await app.stop();
});

function keepers(): number[] {
  return processesOf(edge.folder, 'keeper.mjs');
}

function workers(): number[] {
  return processesOf(edge.folder, 'worker.mjs');
}

function kill(pids: number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

const RIGHT = '200 app /';

function startLoad(perSecond = 500): SteadyLoad {
  return startSteadyLoad({ port, host: 'a.test', perSecond });
}

async function moreAnswers(load: SteadyLoad, count: number): Promise<void> {
  const answered = () => load.results.get(RIGHT) ?? 0;
  const before = answered();
  await expect.poll(answered).toBeGreaterThanOrEqual(before + count);
}

/** What visitors saw, other than the responses of the app. */
async function problemsOf(load: SteadyLoad): Promise<[string, number][]> {
  await load.stop();
  return [...load.results].filter(([result]) => result !== RIGHT);
}

it('replaces a worker that is killed, and loses only its own requests', async () => {
  const load = startLoad(200);
  await moreAnswers(load, 50);
  const before = workers();
  kill(before);
  await moreAnswers(load, 100);
  const problems = await problemsOf(load);
  const lost = problems.reduce((sum, [, count]) => sum + count, 0);
  // Those that were in flight, and those on connections that visitors have kept.
  expect(lost).toBeLessThanOrEqual(64);
  expect(workers()).toHaveLength(1);
  expect(workers()).not.toEqual(before);
  expect(await server.next('report')).toMatchObject({ level: 'error' });
});

it('loses no request when the keeper is killed and launched again', async () => {
  const load = startLoad();
  await moreAnswers(load, 100);
  kill(keepers());
  const result = await edge.launch({ listeners: [{ protocol: 'http', host: '127.0.0.1', port }] });
  expect(result).toMatchObject({ kind: 'launched' });
  await expect.poll(workers).toHaveLength(1);
  await moreAnswers(load, 500);
  expect(await problemsOf(load)).toEqual([]);
  expect(keepers()).toHaveLength(1);
});

it('ends workers of a killed keeper that listen on a port that is not wanted any more', async () => {
  const before = workers();
  kill(keepers());
  expect(await visit(port)).toBe(RIGHT);
  const result = await edge.launch();
  expect(result).toMatchObject({ kind: 'launched' });
  await expect.poll(workers).not.toContain(before[0]);
  expect(workers()).toHaveLength(1);
});

it('ends workers of a killed keeper when the folder is gone', async () => {
  kill(keepers());
  expect(await visit(port)).toBe(RIGHT);
  edge.removeFolder();
  await expect.poll(() => processesOf(edge.folder)).toEqual([]);
});

it('loses no request when a new version takes over', async () => {
  const [keeper] = keepers();
  const load = startLoad();
  await moreAnswers(load, 100);
  server.send({ kind: 'replace', node: edge.node, program: edge.program });
  await server.closed;
  const next = await edge.connect();
  await expect.poll(keepers).not.toContain(keeper);
  await moreAnswers(load, 500);
  expect(await problemsOf(load)).toEqual([]);
  expect(workers()).toHaveLength(1);
  next.send({ kind: 'stop', drainMs: 1_000 });
  await expect.poll(() => processesOf(edge.folder)).toEqual([]);
});

it('serves on when the new version does not start, and says so', async () => {
  const load = startLoad();
  writeFileSync(join(edge.dataDir, 'keeper.mjs'), 'process.exit(3)');
  server.send({ kind: 'replace', node: edge.node, program: edge.dataDir });
  server.change({ routes: [app.route('b')] });
  const report = await server.next('report');
  expect(report).toMatchObject({ level: 'error', text: expect.stringMatching(/exit code 3/) });
  await expect.poll(() => visit(port, { host: 'b.test' })).toBe('200 app /');
  await moreAnswers(load, 100);
  expect(await problemsOf(load)).toEqual([]);
});

it('lets held requests of the old version see routes of the new one', async () => {
  const hibernated = { kind: 'hibernated', wakesOnRequest: true } as const;
  await server.sync({ routes: [{ ...app.route(), state: hibernated }] });
  const visitor = visit(port);
  await server.next('wake');
  server.send({ kind: 'replace', node: edge.node, program: edge.program });
  await server.closed;
  const next = await edge.connect();
  await next.next('wake');
  next.change({ routes: [app.route()] });
  expect(await visitor).toBe('200 app /');
});

it('stops the old version too, while that one still drains', async () => {
  const held: ServerResponse[] = [];
  const slow = await startTestApp((_request, response) => void held.push(response));
  await server.sync({ routes: [slow.route()] });
  const visitor = visit(port).catch(() => 'closed');
  await expect.poll(() => held.length).toBe(1);
  server.send({ kind: 'replace', node: edge.node, program: edge.program });
  await server.closed;
  const next = await edge.connect();
  expect(keepers()).toHaveLength(2);
  next.send({ kind: 'stop', drainMs: 500 });
  await expect.poll(() => processesOf(edge.folder)).toEqual([]);
  expect(await visitor).toBe('closed');
  await slow.stop();
});

it('drains when it gets SIGTERM, and leaves only what the next start needs', async () => {
  const [keeper = 0] = keepers();
  process.kill(keeper, 'SIGTERM');
  await expect.poll(() => processesOf(edge.folder)).toEqual([]);
  const left = readdirSync(edge.folder);
  expect(left).toContain('snapshot');
  expect(left.filter((name) => /pid|sock|new/.test(name))).toEqual([]);
});

it('can be launched again at once after a stop, while a request is still in flight', async () => {
  const held: ServerResponse[] = [];
  const slow = await startTestApp((_request, response) => void held.push(response));
  await server.sync({ routes: [slow.route()] });
  const visitor = visit(port);
  await expect.poll(() => held.length).toBe(1);
  server.send({ kind: 'stop', drainMs: 30_000 });
  await server.closed;
  const listeners = [{ protocol: 'http', host: '127.0.0.1', port } as const];
  await expect.poll(() => edge.launch({ listeners })).toMatchObject({ kind: 'launched' });
  held[0]?.end('late');
  expect(await visitor).toBe('200 late');
  await slow.stop();
});
