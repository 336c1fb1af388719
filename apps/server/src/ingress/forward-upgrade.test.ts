import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import {
  exchange,
  get,
  HOST,
  startIngress,
  startServing,
} from '../../test/ingress/ingress-fixture.ts';

const HANDSHAKE = `GET /socket HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;

async function startEcho() {
  const serving = await startServing((_incoming, response) => response.end('plain'));
  const sockets = new WebSocketServer({ server: serving.app.server });
  sockets.on('connection', (socket) => {
    socket.on('message', (message, isBinary) => socket.send(message, { binary: isBinary }));
  });
  return { ...serving, sockets };
}

async function open(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket?a=b`, { headers: { Host: HOST } });
  await once(socket, 'open');
  return socket;
}

/** Sends a handshake and resets the connection, so that whatever is written to it fails. */
async function breakOff(port: number, handshake: string): Promise<void> {
  const client = connect(port, '127.0.0.1');
  client.write(`${handshake}\r\n`, () => client.resetAndDestroy());
  await once(client, 'close');
}

describe('a websocket', () => {
  it('carries messages of any size both ways', async () => {
    const { port } = await startEcho();
    const socket = await open(port);
    for (const size of [0, 5, 70_000, 5_000_000]) {
      const sent = Buffer.alloc(size, 'x');
      socket.send(sent);
      const [received] = await once(socket, 'message');
      expect(received.equals(sent)).toBe(true);
    }
    socket.terminate();
  });

  it('tells the app who asks, and for what', async () => {
    const { port, sockets } = await startEcho();
    const connected = once(sockets, 'connection');
    const socket = await open(port);
    const [, request] = await connected;
    expect(request.url).toBe('/socket?a=b');
    expect(request.headers).toMatchObject({ host: HOST, 'x-forwarded-for': '127.0.0.1' });
    socket.terminate();
  });

  it('closes with the code the other side gave, either way', async () => {
    const { port, sockets } = await startEcho();
    const connected = once(sockets, 'connection');
    const first = await open(port);
    const [appSide] = await connected;
    first.close(4001, 'enough');
    expect((await once(appSide, 'close'))[0]).toBe(4001);
    const again = once(sockets, 'connection');
    const second = await open(port);
    (await again)[0].close(4002, 'restart');
    expect((await once(second, 'close'))[0]).toBe(4002);
  });

  it('ends in the app when the client is gone, and the other way round', async () => {
    const { port, sockets } = await startEcho();
    const connected = once(sockets, 'connection');
    const first = await open(port);
    const [appSide] = await connected;
    first.terminate();
    await once(appSide, 'close');
    const again = once(sockets, 'connection');
    const second = await open(port);
    (await again)[0].terminate();
    await once(second, 'close');
  });

  it('gets the answer of an app that refuses it', async () => {
    const { port } = await startServing((_incoming, response) => {
      response.writeHead(403, { 'X-Why': 'closed' }).end('not for you');
    });
    const answer = await exchange(port, `${HANDSHAKE}\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 403 [\s\S]*X-Why: closed[\s\S]*not for you/);
  });

  it('gets a notice where no app is', async () => {
    const { port } = await startIngress();
    expect(await exchange(port, `${HANDSHAKE}\r\n`)).toMatch(/^HTTP\/1.1 404 [\s\S]*No app lives/);
  });

  it.each([
    ['where no app is', 'nobody.localhost'],
    ['while the app makes up its mind', HOST],
  ])('may break off in its handshake %s', async (_where, host) => {
    const { port, app } = await startServing((_incoming, response) => response.end('still here'));
    app.server.on('upgrade', (_request, socket) => socket.on('error', () => {}));
    for (let count = 0; count < 20; count += 1) await breakOff(port, HANDSHAKE.replace(HOST, host));
    expect(await get(port)).toContain('still here');
  });

  it('lets the app speak on after the client has ended its half', async () => {
    const { port, app } = await startServing(() => {});
    app.server.on('upgrade', (_request, socket) => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      );
      socket.on('end', () => socket.end('last words'));
      socket.resume();
    });
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.write(`${HANDSHAKE}\r\nearly bytes`);
    await once(client, 'data');
    client.end();
    expect(String((await once(client, 'data'))[0])).toBe('last words');
    await once(client, 'close');
  });

  it('counts as a use of its target until it is closed', async () => {
    const { ingress, port, app } = await startEcho();
    const socket = await open(port);
    let isDrained = false;
    const drained = ingress.drained(app, 60_000).then(() => {
      isDrained = true;
    });
    socket.send('still here');
    await once(socket, 'message');
    expect(isDrained).toBe(false);
    socket.close();
    await drained;
  });

  it('does not hold up the end of the ingress', async () => {
    const { ingress, port } = await startEcho();
    const socket = await open(port);
    await Promise.all([once(socket, 'close'), ingress.stop(60_000)]);
  });
});
