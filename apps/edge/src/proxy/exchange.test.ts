import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '@longshore/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  exchange,
  get,
  HOST,
  startApp,
  startIngress,
  startServing,
  unusedAddress,
} from '../../test/ingress-fixture.ts';
import { startProxy } from '../../test/proxy-fixture.ts';
import { rawResponse, startRawApp } from '../../test/raw-app.ts';
import { silentAddress } from '../../test/silent-address.ts';
import { LIMITS } from './limits.ts';

describe('1xx responses', () => {
  it('are relayed as early hints', async () => {
    const { port } = await startServing((_incoming, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' });
      response.end('done');
    });
    const outgoing = httpRequest({
      port,
      host: '127.0.0.1',
      headers: { Host: HOST },
      agent: false,
    });
    const hints = once(outgoing, 'information');
    const response = once(outgoing, 'response');
    outgoing.end();
    const [{ statusCode, headers }] = await hints;
    expect(statusCode).toBe(103);
    expect(headers.link).toBe('</a.css>; rel=preload; as=style');
    const [incoming] = (await response) as [IncomingMessage];
    expect(await text(incoming)).toBe('done');
  });

  it('are dropped if the visitor did not ask for them', async () => {
    const app = await startRawApp(({ socket }) => {
      socket.write(`HTTP/1.1 100 Continue\r\n\r\n${rawResponse('done')}`);
    });
    const { ingress, port } = await startIngress();
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app] });
    expect(await get(port)).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*done$/);
  });
});

describe('trailers', () => {
  it('of a response reach the visitor', async () => {
    const { port } = await startServing((_incoming, response) => {
      response.writeHead(200, { Trailer: 'X-Sum' });
      response.write('body');
      response.addTrailers({ 'X-Sum': '42' });
      response.end();
    });
    const outgoing = httpRequest({
      port,
      host: '127.0.0.1',
      headers: { Host: HOST },
      agent: false,
    });
    outgoing.end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(await text(incoming)).toBe('body');
    expect(incoming.headers.trailer).toBe('X-Sum');
    expect(incoming.trailers).toEqual({ 'x-sum': '42' });
  });

  it('of a request reach the app, except those that state who the visitor is', async () => {
    const { port } = await startServing(async (incoming, response) => {
      await text(incoming);
      response.end(JSON.stringify(incoming.rawTrailers));
    });
    const head = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const trailers = 'X-Sum: 42\r\nX-Forwarded-For: 6.6.6.6\r\nAuthorization: a\r\n';
    const response = await exchange(port, `${head}4\r\nbody\r\n0\r\n${trailers}\r\n`);
    expect(response).toMatch(/\["X-Sum","42"\]$/);
  });
});

describe('a body', () => {
  it.each([0, 1, 16_384, 65_536, 300_000, 5_000_000])(
    'of %i bytes arrives unchanged in both directions',
    async (size) => {
      const { port } = await startServing((incoming, response) => {
        incoming.pipe(response);
      });
      const sent = randomBytes(size);
      for (const framing of [
        { 'Content-Length': String(size) },
        { 'Transfer-Encoding': 'chunked' },
      ]) {
        const outgoing = httpRequest({
          port,
          host: '127.0.0.1',
          method: 'POST',
          headers: { Host: HOST, ...framing },
          agent: false,
        });
        outgoing.end(sent);
        const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
        const hash = createHash('sha256');
        for await (const chunk of incoming) hash.update(chunk);
        expect(hash.digest('hex')).toBe(createHash('sha256').update(sent).digest('hex'));
      }
    },
  );

  it('is not mixed up with others when many are read slowly at once', async () => {
    const bodies = Array.from({ length: 60 }, () => randomBytes(1_000_000));
    const { port } = await startServing((incoming, response) => {
      const body = bodies[Number(incoming.url?.slice(1))] as Buffer;
      response.writeHead(200, { 'Content-Length': body.length });
      response.end(body);
    });
    await Promise.all(
      bodies.map(async (body, index) => {
        const outgoing = httpRequest({
          port,
          host: '127.0.0.1',
          path: `/${index}`,
          headers: { Host: HOST },
          agent: false,
        });
        outgoing.end();
        const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) {
          chunks.push(chunk);
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect(Buffer.concat(chunks).equals(body)).toBe(true);
      }),
    );
  });
});

describe('a request', () => {
  it('that cannot be repeated never uses a kept connection', async () => {
    const app = await startRawApp(({ socket }) => socket.write(rawResponse('ok')));
    const { ingress, port } = await startIngress();
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app] });
    await get(port);
    const post = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
    expect(await exchange(port, post)).toMatch(/ok$/);
    expect(app.connections()).toBe(2);
  });

  it('with a body is sent to another target when the first one accepts no connection', async () => {
    const app = await startApp(async (incoming, response) => response.end(await text(incoming)));
    const { ingress, port } = await startIngress();
    const targets = [await unusedAddress(), await unusedAddress(), app];
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets });
    for (let count = 0; count < 3; count += 1) {
      const post = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nContent-Length: 5\r\n\r\norder`;
      expect(await exchange(port, post)).toMatch(/order$/);
    }
  });

  it('does not wait long for a target that neither accepts nor refuses connections, and avoids it', async () => {
    const app = await startApp(async (incoming, response) => response.end(await text(incoming)));
    const { ingress, port } = await startIngress();
    const targets = [app, await silentAddress()];
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets });
    const post = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nContent-Length: 5\r\n\r\norder`;
    const durations: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const sentAt = performance.now();
      expect(await exchange(port, post)).toMatch(/order$/);
      durations.push(performance.now() - sentAt);
    }
    // One of them found out. Without a limit of its own, the connection would take 10 s.
    expect(durations.filter((ms) => ms >= LIMITS.connectMsBesideOthers)).toHaveLength(1);
    expect(Math.max(...durations)).toBeLessThan(LIMITS.connectMs);
  });

  it('waits longer for the last target that it can be sent to', async () => {
    const { ingress, port } = await startIngress();
    const targets = [await silentAddress(), await silentAddress()];
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets });
    const sentAt = performance.now();
    expect(await get(port)).toMatch(/^HTTP\/1.1 502 /);
    const atLeast = LIMITS.connectMsBesideOthers + LIMITS.connectMs;
    // Timers may fire a millisecond early.
    expect(performance.now() - sentAt).toBeGreaterThan(atLeast - 10);
  }, 60_000);

  it('is sent once more at most', async () => {
    let requests = 0;
    const app = await startRawApp(({ socket }) => {
      requests += 1;
      socket.destroy();
    });
    const { ingress, port } = await startIngress();
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app, app, app, app] });
    expect(await get(port)).toMatch(/^HTTP\/1.1 502 /);
    expect(requests).toBe(2);
  });

  it('is not sent again after the first byte of a response', async () => {
    const app = await startRawApp(({ socket }) => socket.end('H'));
    const { ingress, port } = await startIngress();
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app] });
    expect(await get(port)).toMatch(/^HTTP\/1.1 502 /);
    expect(app.connections()).toBe(1);
  });

  it('does not go to a draining target', async () => {
    const old = await startApp((_incoming, response) => response.end('old'));
    const fresh = await startApp((_incoming, response) => response.end('new'));
    const { proxy, port } = await startProxy();
    const targets = [
      { host: old.host, port: old.port, state: 'draining' as const },
      { host: fresh.host, port: fresh.port, state: 'ready' as const },
    ];
    proxy.apply({ routes: [{ appId: 'a', hosts: [HOST], state: { kind: 'live', targets } }] });
    for (let count = 0; count < 4; count += 1) expect(await get(port)).toMatch(/new$/);
  });

  it('reaches an app on a unix socket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'edge-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const server = createServer((socket) => {
      socket.on('data', () => socket.write(rawResponse('by path')));
    });
    const path = join(folder, 'app.sock');
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => void server.close());
    const { proxy, port } = await startProxy();
    const targets = [{ socket: path, state: 'ready' as const }];
    proxy.apply({ routes: [{ appId: 'a', hosts: [HOST], state: { kind: 'live', targets } }] });
    expect(await get(port)).toMatch(/by path$/);
    await proxy.drained({ socket: path }, 1_000);
  });
});

it('closes the idle connections of a target that has no route any more', async () => {
  let closed = 0;
  const app = await startRawApp(({ socket }) => {
    socket.write(rawResponse('ok'));
    socket.on('close', () => {
      closed += 1;
    });
  });
  const { ingress, port } = await startIngress();
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app] });
  await get(port);
  ingress.routes.set('app-1', [HOST], { kind: 'starting' });
  await eventually(() => closed === 1, 'the idle connection to be closed');
});
