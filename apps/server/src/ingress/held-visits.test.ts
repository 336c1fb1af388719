import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@longshore/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { exchange, get, HOST, startApp, startIngress } from '../../test/ingress/ingress-fixture.ts';
import type { Route } from './route-table.ts';

const HTML = { Accept: 'text/html,*/*;q=0.8' };
const asleep: Route = { kind: 'hibernated', wakes: true };
const UNBOUNDED = 64 * 1024 * 1024;

/** An ingress with a sleeping app behind `HOST`. */
async function startAsleep(limits: Parameters<typeof startIngress>[0] = {}) {
  const woken: string[] = [];
  const slept: string[] = [];
  const { ingress, port } = await startIngress(limits, {
    wake: async (appId) => void woken.push(appId),
    sleep: async (appId) => void slept.push(appId),
  });
  const show = (route: Route) => ingress.routes.set('app-1', [HOST], route);
  show(asleep);
  return { ingress, port, woken, slept, show };
}

describe('a sleeping app', () => {
  it('is woken by a request, which it answers itself', async () => {
    const { port, woken, show } = await startAsleep();
    const answers = [get(port, '/one'), get(port, '/two')];
    await eventually(() => woken.length > 0, 'the app to be woken');
    show({ kind: 'starting' });
    const app = await startApp((incoming, response) => response.end(`awake ${incoming.url}`));
    show({ kind: 'live', targets: [app] });
    expect(await answers[0]).toMatch(/^HTTP\/1.1 200 [\s\S]*awake \/one/);
    expect(await answers[1]).toMatch(/^HTTP\/1.1 200 [\s\S]*awake \/two/);
    expect(woken).toEqual(['app-1']);
  });

  it('gets the whole body that was sent to it', async () => {
    const { port, woken, show } = await startAsleep();
    const body = 'x'.repeat(500_000);
    const head = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    const answer = exchange(port, head + body);
    await eventually(() => woken.length > 0, 'the app to be woken');
    const app = await startApp(async (incoming, response) => {
      response.end(`got ${(await text(incoming)).length}`);
    });
    show({ kind: 'live', targets: [app] });
    expect(await answer).toContain('got 500000');
  });

  it('keeps nothing of a large body in memory meanwhile', async () => {
    const { port, woken } = await startAsleep();
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: ${UNBOUNDED}\r\n\r\n`);
    socket.write(Buffer.alloc(UNBOUNDED));
    await eventually(() => woken.length > 0, 'the app to be woken');
    let before = -1;
    await eventually(() => {
      const isStill = socket.bytesWritten - socket.writableLength === before;
      before = socket.bytesWritten - socket.writableLength;
      return isStill;
    }, 'nothing more to be taken');
    expect(socket.writableLength).toBeGreaterThan(UNBOUNDED / 2);
  });

  it('takes a websocket that had to wait for it', async () => {
    const { port, woken, show } = await startAsleep();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers: { Host: HOST } });
    onTestFinished(() => socket.terminate());
    const opened = once(socket, 'open');
    await eventually(() => woken.length > 0, 'the app to be woken');
    const app = await startApp(() => {});
    new WebSocketServer({ server: app.server }).on('connection', (peer) => peer.send('hello'));
    const message = once(socket, 'message');
    show({ kind: 'live', targets: [app] });
    await opened;
    expect(String((await message)[0])).toBe('hello');
  });

  it('that cannot start says so to who waited', async () => {
    const { port, woken, show } = await startAsleep();
    const answer = get(port);
    await eventually(() => woken.length > 0, 'the app to be woken');
    show({ kind: 'failed' });
    expect(await answer).toMatch(/^HTTP\/1.1 503 [\s\S]*not running/);
  });

  it('that is removed is gone for who waited, too', async () => {
    const { ingress, port, woken } = await startAsleep();
    const answer = get(port);
    await eventually(() => woken.length > 0, 'the app to be woken');
    ingress.routes.remove('app-1');
    expect(await answer).toMatch(/^HTTP\/1.1 404 /);
  });

  it('is not woken by a visitor when its owner did not ask for that', async () => {
    const { port, woken, show } = await startAsleep();
    show({ kind: 'hibernated', wakes: false });
    expect(await get(port)).toMatch(/^HTTP\/1.1 503 [\s\S]*hibernated/);
    expect(woken).toEqual([]);
  });
});

describe('whoever waits', () => {
  it('before a browser sees a page soon, which then waits for the app', async () => {
    const { port, show } = await startAsleep({ pageMs: 0 });
    const page = await get(port, '/shop', HTML);
    expect(page).toMatch(/^HTTP\/1.1 503 [\s\S]*This app is starting\./);
    expect(page).toContain('http-equiv="refresh" content="1"');
    const app = await startApp((_incoming, response) => response.end('the app'));
    const refreshed = get(port, '/shop', { ...HTML, Referer: `http://${HOST}/shop` });
    show({ kind: 'live', targets: [app] });
    expect(await refreshed).toMatch(/^HTTP\/1.1 200 [\s\S]*the app/);
  });

  it('too long is told to come back', async () => {
    const { port } = await startAsleep({ holdMs: 10 });
    expect(await get(port)).toMatch(/^HTTP\/1.1 503 [\s\S]*Retry-After: \d/);
  });

  it('among too many is told so at once', async () => {
    const { port, woken, show } = await startAsleep({ heldPerApp: 1 });
    const first = get(port);
    await eventually(() => woken.length > 0, 'the app to be woken');
    expect(await get(port)).toMatch(/^HTTP\/1.1 503 [\s\S]*too many visitors/);
    show({ kind: 'failed' });
    await first;
  });

  it('and leaves makes room', async () => {
    const { port, woken } = await startAsleep({ heldPerApp: 1, pageMs: 0 });
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
    await eventually(() => woken.length > 0, 'the app to be woken');
    expect(await get(port, '/', HTML)).toContain('too many visitors');
    socket.destroy();
    await eventually(async () => (await get(port, '/', HTML)).includes('starting'), 'room');
  });

  it('does not hold up the end of the ingress', async () => {
    const { ingress, port, woken } = await startAsleep();
    const answer = get(port);
    await eventually(() => woken.length > 0, 'the app to be woken');
    await ingress.stop(60_000);
    expect(await answer).toMatch(/^HTTP\/1.1 503 /);
  });
});

describe('an app without visitors', () => {
  it('sleeps when its time is up, but not while somebody is there', async () => {
    const { port, woken, slept, show } = await startAsleep();
    const app = await startApp(() => {});
    const arrived = once(app.server, 'request');
    const answer = get(port);
    await eventually(() => woken.length > 0, 'the app to be woken');
    show({ kind: 'live', targets: [app], sleepAfterMs: 1 });
    const [, response] = await arrived;
    expect(slept).toEqual([]);
    response.end();
    await answer;
    await eventually(() => slept.length > 0, 'the app to sleep');
  });
});
