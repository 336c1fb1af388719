import type { AccessLine, AppCounters } from '@longshore/edge-contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type ControlClient,
  createEdgeInstallation,
  type EdgeInstallation,
} from '../../test/edge-processes.ts';
import { startTestApp, type TestApp, visit } from '../../test/visitors.ts';

let app: TestApp;
let edge: EdgeInstallation;
let server: ControlClient;
let port: number;

beforeEach(async () => {
  app = await startTestApp((request, response) => {
    response.statusCode = request.url?.startsWith('/broken') ? 500 : 200;
    response.end('hello');
  });
  edge = createEdgeInstallation();
  port = await edge.start();
  server = await edge.connect();
  server.change({ routes: [app.route()] });
  await expect.poll(() => visit(port)).toBe('200 hello');
});

afterEach(async () => {
  await edge.remove();
  await app.stop();
});

const requests = ({ counters }: { counters: AppCounters[] }) =>
  counters.flatMap(({ statuses }) => statuses).reduce((sum, count) => sum + count, 0);

it('logs requests to apps without their query, and those that it answers itself', async () => {
  await visit(port, { path: '/broken?token=secret' });
  server.change({ routes: [{ ...app.route(), state: { kind: 'failed' } }] });
  await expect.poll(() => visit(port, { path: '/page' })).toMatch(/^502|^503/);
  const lines: AccessLine[] = [];
  while (!lines.some(({ path }) => path === '/page'))
    lines.push(...(await server.next('access')).lines);
  expect(JSON.stringify(lines)).not.toContain('secret');
  expect(lines).toContainEqual({
    appId: 'a',
    at: expect.any(Number),
    method: 'GET',
    host: 'a.test',
    path: '/broken',
    status: 500,
    durationMs: expect.any(Number),
    bytes: 5,
  });
});

it('counts each request once, also if the server goes away and a new version takes over', async () => {
  await visit(port);
  const first = await server.next('counters');
  server.close();
  await visit(port);
  server = await edge.connect();
  expect(await server.next('counters')).toEqual(first);
  server.send({ kind: 'replace', node: edge.node, program: edge.program });
  await server.closed;
  await visit(port);
  server = await edge.connect();
  expect(await server.next('counters')).toEqual(first);
  let counted = requests(first);
  let { run, batch } = first;
  while (counted < 4) {
    server.send({ kind: 'counters-stored', run, batch });
    const next = await server.next('counters');
    expect(next.run).not.toBe(first.run);
    ({ run, batch } = next);
    counted += requests(next);
  }
  expect(counted).toBe(4);
}, 60_000);
