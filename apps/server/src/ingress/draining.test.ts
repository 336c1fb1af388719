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
} from '../../test/ingress/ingress-fixture.ts';
import { createIngress } from './ingress.ts';

const LOAD = 16;
const SWITCHES = 25;

it('switches between releases under load without a failed request', async () => {
  const { ingress, port } = await startIngress();
  const agent = new Agent({ keepAlive: true, maxSockets: LOAD });
  let isDone = false;
  const answers = new Map<string, number>();

  async function ask(method: string): Promise<void> {
    const outgoing = request({ host: '127.0.0.1', port, agent, method, headers: { Host: HOST } });
    outgoing.end(method === 'POST' ? 'body' : undefined);
    const [incoming] = await once(outgoing, 'response');
    const key = `${incoming.statusCode} ${await text(incoming)}`;
    answers.set(key, (answers.get(key) ?? 0) + 1);
  }
  async function keepAsking(method: string): Promise<void> {
    while (!isDone) await ask(method);
  }

  let app = await startApp((_incoming, response) => response.end('fine'));
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app] });
  const load = Array.from({ length: LOAD }, (_, index) => keepAsking(index % 2 ? 'POST' : 'GET'));
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
  expect([...answers.keys()]).toEqual(['200 fine']);
});

it('lets a request finish on its old target after the route has changed', async () => {
  const { ingress, port, app } = await startServing(() => {});
  const arrived = once(app.server, 'request');
  const answer = get(port);
  const [, response] = await arrived;
  ingress.routes.set('app-1', [HOST], { kind: 'hibernated', wakes: false });
  const drained = ingress.drained(app, 60_000);
  response.end('old release');
  await drained;
  expect(await answer).toContain('old release');
  expect(await get(port)).toContain('hibernated');
});

it('waits no longer for a target than it was told to', async () => {
  const { ingress, port, app } = await startServing(() => {});
  const arrived = once(app.server, 'request');
  const answer = get(port);
  await arrived;
  await ingress.drained(app, 10);
  await ingress.stop(0);
  await answer;
});

it('has nothing to wait for on a target nobody uses', async () => {
  const { ingress, app } = await startServing(() => {});
  await ingress.drained(app, 60_000);
});

it('finishes what is under way before it stops', async () => {
  const { ingress, port, app } = await startServing(() => {});
  const arrived = once(app.server, 'request');
  const answer = get(port);
  const [, response] = await arrived;
  const stopped = ingress.stop(60_000);
  response.end('in time');
  await stopped;
  expect(await answer).toContain('in time');
});

it('cuts off what does not finish in time when it stops', async () => {
  const { ingress, port, app } = await startServing(() => {});
  const arrived = once(app.server, 'request');
  const answer = get(port);
  await arrived;
  await ingress.stop(10);
  expect(await answer).toBe('');
});

it('says so when its port is taken', async () => {
  const { port } = await startIngress();
  const second = createIngress({ ...ingressDeps(), port });
  await expect(second.listen()).rejects.toThrow('EADDRINUSE');
});
