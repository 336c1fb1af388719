import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import {
  get,
  HOST,
  ingressDeps,
  startApp,
  startIngress,
  startServing,
} from '../../test/ingress-fixture.ts';
import { createIngress } from './ingress.ts';

const LOAD = 16;
const SWITCHES = 25;

it('switches between releases under load without a failed request', async () => {
  const { ingress, port } = await startIngress();
  const agent = new Agent({ keepAlive: true, maxSockets: LOAD });
  let isDone = false;
  const responseCounts = new Map<string, number>();

  async function sendRequest(method: string): Promise<void> {
    const outgoing = request({ host: '127.0.0.1', port, agent, method, headers: { Host: HOST } });
    outgoing.end(method === 'POST' ? 'body' : undefined);
    const [incoming] = await once(outgoing, 'response');
    const key = `${incoming.statusCode} ${await text(incoming)}`;
    responseCounts.set(key, (responseCounts.get(key) ?? 0) + 1);
  }
  async function sendContinuously(method: string): Promise<void> {
    while (!isDone) await sendRequest(method);
  }

  let app = await startApp((_incoming, response) => response.end('fine'));
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app] });
  const load = Array.from({ length: LOAD }, (_, index) =>
    sendContinuously(index % 2 ? 'POST' : 'GET'),
  );
  for (let count = 0; count < SWITCHES; count += 1) {
    const next = await startApp((_incoming, response) => response.end('fine'));
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [next] });
    await ingress.drained(app, 60_000);
    await new Promise((resolve) => app.server.close(resolve));
    app = next;
  }
  isDone = true;
  await Promise.all(load);
  agent.destroy();
  expect([...responseCounts.keys()]).toEqual(['200 fine']);
});

it('lets a request finish on its old target after the route has changed', async () => {
  const { ingress, port, app } = await startServing(() => {});
  const arrived = once(app.server, 'request');
  const response = get(port);
  const [, appResponse] = await arrived;
  ingress.routes.set('app-1', [HOST], { kind: 'hibernated', wakesOnRequest: false });
  const drained = ingress.drained(app, 60_000);
  appResponse.end('old release');
  await drained;
  expect(await response).toContain('old release');
  expect(await get(port)).toContain('hibernated');
});

it('stops waiting for a target to drain after the timeout', async () => {
  const { ingress, port, app } = await startServing(() => {});
  const arrived = once(app.server, 'request');
  const response = get(port);
  await arrived;
  await ingress.drained(app, 10);
  await ingress.stop(0);
  await response;
});

it('drains an unused target at once', async () => {
  const { ingress, app } = await startServing(() => {});
  await ingress.drained(app, 60_000);
});

it('finishes requests in flight before it stops', async () => {
  const { ingress, port, app } = await startServing(() => {});
  const arrived = once(app.server, 'request');
  const response = get(port);
  const [, appResponse] = await arrived;
  const stopped = ingress.stop(60_000);
  appResponse.end('in time');
  await stopped;
  expect(await response).toContain('in time');
});

it('aborts requests that do not finish in time when it stops', async () => {
  const { ingress, port, app } = await startServing(() => {});
  const arrived = once(app.server, 'request');
  const response = get(port);
  await arrived;
  await ingress.stop(10);
  expect(await response).toBe('');
});

it('fails to listen when its port is in use', async () => {
  const { port } = await startIngress();
  const second = createIngress({ ...ingressDeps(), port });
  await expect(second.listen()).rejects.toThrow('EADDRINUSE');
});
