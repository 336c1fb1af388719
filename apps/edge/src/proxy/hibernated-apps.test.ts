import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@longshore/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { exchange, get, HOST, startApp, startIngress } from '../../test/ingress-fixture.ts';
import type { Route } from './ingress.ts';

const HTML = { Accept: 'text/html,*/*;q=0.8' };
const hibernated: Route = { kind: 'hibernated', wakesOnRequest: true };
const LARGE_BODY_BYTES = 64 * 1024 * 1024;

/** An ingress with a hibernated app behind `HOST`. */
async function startHibernated(
  limits: Parameters<typeof startIngress>[0] = {},
  wakeResult: 'done' | 'refused' = 'done',
) {
  const woken: string[] = [];
  const hibernatedIds: string[] = [];
  const { ingress, port } = await startIngress(limits, {
    async wake(appId) {
      woken.push(appId);
      return wakeResult;
    },
    hibernate: async (appId) => void hibernatedIds.push(appId),
  });
  const setRoute = (route: Route) => ingress.routes.set('app-1', [HOST], route);
  setRoute(hibernated);
  return { ingress, port, woken, hibernatedIds, setRoute };
}

describe('a hibernated app', () => {
  it('is woken by a request and responds to it', async () => {
    const { port, woken, setRoute } = await startHibernated();
    const responses = [get(port, '/one'), get(port, '/two')];
    await eventually(() => woken.length > 0, 'the app to be woken');
    setRoute({ kind: 'starting' });
    const app = await startApp((incoming, response) => response.end(`awake ${incoming.url}`));
    setRoute({ kind: 'live', targets: [app] });
    expect(await responses[0]).toMatch(/^HTTP\/1.1 200 [\s\S]*awake \/one/);
    expect(await responses[1]).toMatch(/^HTTP\/1.1 200 [\s\S]*awake \/two/);
    expect(woken).toEqual(['app-1']);
  });

  it('gets the whole request body', async () => {
    const { port, woken, setRoute } = await startHibernated();
    const body = 'x'.repeat(500_000);
    const head = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    const held = exchange(port, head + body);
    await eventually(() => woken.length > 0, 'the app to be woken');
    const app = await startApp(async (incoming, response) => {
      response.end(`got ${(await text(incoming)).length}`);
    });
    setRoute({ kind: 'live', targets: [app] });
    expect(await held).toContain('got 500000');
  });

  it('does not buffer a large body while it wakes', async () => {
    const { port, woken } = await startHibernated();
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: ${LARGE_BODY_BYTES}\r\n\r\n`);
    socket.write(Buffer.alloc(LARGE_BODY_BYTES));
    await eventually(() => woken.length > 0, 'the app to be woken');
    let before = -1;
    await eventually(() => {
      const isUnchanged = socket.bytesWritten - socket.writableLength === before;
      before = socket.bytesWritten - socket.writableLength;
      return isUnchanged;
    }, 'the client to stop sending');
    expect(socket.writableLength).toBeGreaterThan(LARGE_BODY_BYTES / 2);
  });

  it('accepts a held websocket', async () => {
    const { port, woken, setRoute } = await startHibernated();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers: { Host: HOST } });
    onTestFinished(() => socket.terminate());
    const opened = once(socket, 'open');
    await eventually(() => woken.length > 0, 'the app to be woken');
    const app = await startApp(() => {});
    new WebSocketServer({ server: app.server }).on('connection', (peer) => peer.send('hello'));
    const message = once(socket, 'message');
    setRoute({ kind: 'live', targets: [app] });
    await opened;
    expect(String((await message)[0])).toBe('hello');
  });

  it('that fails to start ends held requests with 503', async () => {
    const { port, woken, setRoute } = await startHibernated();
    const held = get(port);
    await eventually(() => woken.length > 0, 'the app to be woken');
    setRoute({ kind: 'failed' });
    expect(await held).toMatch(/^HTTP\/1.1 503 [\s\S]*not running/);
  });

  it('that may not wake responds at once, and can be woken by a later request', async () => {
    const { port, woken } = await startHibernated({}, 'refused');
    const page = await get(port, '/', HTML);
    expect(page).toMatch(/^HTTP\/1.1 503 [\s\S]*cannot wake up now/);
    expect(page).toContain('has reached a limit');
    expect(await get(port, '/', { Accept: 'application/json' })).toContain('"error":"cannot-wake"');
    expect(woken).toEqual(['app-1', 'app-1']);
  });

  it('that is removed ends held requests with 404', async () => {
    const { ingress, port, woken } = await startHibernated();
    const held = get(port);
    await eventually(() => woken.length > 0, 'the app to be woken');
    ingress.routes.remove('app-1');
    expect(await held).toMatch(/^HTTP\/1.1 404 /);
  });

  it('is not woken by a request when that is not enabled', async () => {
    const { port, woken, setRoute } = await startHibernated();
    setRoute({ kind: 'hibernated', wakesOnRequest: false });
    expect(await get(port)).toMatch(/^HTTP\/1.1 503 [\s\S]*hibernated/);
    expect(woken).toEqual([]);
  });
});

describe('a held request', () => {
  it('of a browser gets the "starting" page, whose reload is held until the app is ready', async () => {
    const { port, setRoute } = await startHibernated({ pageHoldMs: 0 });
    const page = await get(port, '/shop', HTML);
    expect(page).toMatch(/^HTTP\/1.1 503 [\s\S]*This app is starting\./);
    expect(page).toContain('http-equiv="refresh" content="1"');
    const app = await startApp((_incoming, response) => response.end('the app'));
    const refreshed = get(port, '/shop', { ...HTML, Referer: `http://${HOST}/shop` });
    setRoute({ kind: 'live', targets: [app] });
    expect(await refreshed).toMatch(/^HTTP\/1.1 200 [\s\S]*the app/);
  });

  it('gets Retry-After when it was held too long', async () => {
    const { port } = await startHibernated({ holdMs: 10 });
    expect(await get(port)).toMatch(/^HTTP\/1.1 503 [\s\S]*Retry-After: \d/);
  });

  it('is rejected at once when too many are held', async () => {
    const { port, woken, setRoute } = await startHibernated({ heldPerApp: 1 });
    const first = get(port);
    await eventually(() => woken.length > 0, 'the app to be woken');
    expect(await get(port)).toMatch(/^HTTP\/1.1 503 [\s\S]*too many requests/);
    setRoute({ kind: 'failed' });
    await first;
  });

  it('makes room when its client disconnects', async () => {
    const { port, woken } = await startHibernated({ heldPerApp: 1, pageHoldMs: 0 });
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
    await eventually(() => woken.length > 0, 'the app to be woken');
    expect(await get(port, '/', HTML)).toContain('too many requests');
    socket.destroy();
    await eventually(
      async () => (await get(port, '/', HTML)).includes('starting'),
      'room for a request',
    );
  });

  it('does not delay stopping the ingress', async () => {
    const { ingress, port, woken } = await startHibernated();
    const held = get(port);
    await eventually(() => woken.length > 0, 'the app to be woken');
    await ingress.stop(60_000);
    expect(await held).toMatch(/^HTTP\/1.1 503 /);
  });
});

describe('an idle app', () => {
  it('is hibernated after its idle time, but not during a request', async () => {
    const { port, woken, hibernatedIds, setRoute } = await startHibernated();
    const app = await startApp(() => {});
    const arrived = once(app.server, 'request');
    const held = get(port);
    await eventually(() => woken.length > 0, 'the app to be woken');
    setRoute({ kind: 'live', targets: [app], sleepAfterMs: 1 });
    const [, response] = await arrived;
    expect(hibernatedIds).toEqual([]);
    response.end();
    await held;
    await eventually(() => hibernatedIds.length > 0, 'the app to be hibernated');
  });
});
