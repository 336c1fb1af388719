import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { exchange, get, HOST, startIngress, startServing } from '../../test/ingress-fixture.ts';

const HANDSHAKE = `GET /socket HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;

async function startEcho(limits = {}) {
  const serving = await startServing((_incoming, response) => response.end('plain'), limits);
  const sockets = new WebSocketServer({ server: serving.app.server });
  sockets.on('connection', (socket) => {
    socket.on('message', (message, isBinary) => socket.send(message, { binary: isBinary }));
  });
  return { ...serving, sockets };
}

async function open(port: number, headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket?a=b`, {
    headers: { Host: HOST, ...headers },
  });
  await once(socket, 'open');
  return socket;
}

/** Sends a handshake and resets the connection, so that every write to it fails. */
async function sendAndReset(port: number, handshake: string): Promise<void> {
  const client = connect(port, '127.0.0.1');
  client.write(`${handshake}\r\n`, () => client.resetAndDestroy());
  await once(client, 'close');
}

describe('a websocket', () => {
  it('carries messages of any size both ways (RFC 6455 §5.2, §5.6)', async () => {
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

  it('takes no place of a request, neither while it is open nor afterwards', async () => {
    const { port } = await startEcho({ inFlightPerTarget: 1 });
    const sockets = [await open(port), await open(port)];
    expect(await get(port)).toMatch(/plain$/);
    for (const socket of sockets) {
      socket.close();
      await once(socket, 'close');
    }
    expect(await get(port)).toMatch(/plain$/);
  });

  it('carries fragmented messages (RFC 6455 §5.4)', async () => {
    const { port } = await startEcho();
    const socket = await open(port);
    socket.send('frag', { fin: false });
    socket.send('mented', { fin: true });
    expect(String((await once(socket, 'message'))[0])).toBe('fragmented');
    socket.terminate();
  });

  it('carries pings and pongs (RFC 6455 §5.5.2, §5.5.3)', async () => {
    const { port } = await startEcho();
    const socket = await open(port);
    socket.ping('are you there');
    expect(String((await once(socket, 'pong'))[0])).toBe('are you there');
    socket.terminate();
  });

  it('negotiates a subprotocol with the app (RFC 6455 §1.9, §4.2.2)', async () => {
    const { port } = await startEcho();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, ['chat'], { headers: { Host: HOST } });
    await once(socket, 'open');
    expect(socket.protocol).toBe('chat');
    socket.terminate();
  });

  it('passes path and client address to the app (RFC 6455 §4.1)', async () => {
    const { port, sockets } = await startEcho();
    const connected = once(sockets, 'connection');
    const forged = {
      'True-Client-IP': '6.6.6.6',
      X_Real_IP: '6.6.6.6',
      'X-Forwarded-For': '6.6.6.6',
    };
    const socket = await open(port, forged);
    const [, request] = await connected;
    expect(request.url).toBe('/socket?a=b');
    expect(request.headers).toMatchObject({ host: HOST, 'x-forwarded-for': '127.0.0.1' });
    expect(JSON.stringify(request.headers)).not.toContain('6.6.6.6');
    socket.terminate();
  });

  it('relays close codes in both directions (RFC 6455 §7.1.5, §7.4)', async () => {
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

  it('closes in the app when the client disconnects, and vice versa (RFC 6455 §7.1.1)', async () => {
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

  it('gets the response of an app that refuses it (RFC 6455 §4.2.2)', async () => {
    const { port } = await startServing((_incoming, response) => {
      response.writeHead(403, { 'X-Why': 'closed' }).end('not for you');
    });
    const response = await exchange(port, `${HANDSHAKE}\r\n`);
    expect(response).toMatch(/^HTTP\/1.1 403 [\s\S]*X-Why: closed[\s\S]*not for you/);
  });

  it('gets an error response for an unknown host (RFC 6455 §4.2.1)', async () => {
    const { port } = await startIngress();
    expect(await exchange(port, `${HANDSHAKE}\r\n`)).toMatch(/^HTTP\/1.1 404 [\s\S]*No app found/);
  });

  it.each([
    ['for an unknown host', 'unknown.localhost'],
    ['before the app responds', HOST],
  ])('that is reset during its handshake %s does not stop the ingress', async (_when, host) => {
    const { port, app } = await startServing((_incoming, response) => response.end('still here'));
    app.server.on('upgrade', (_request, socket) => socket.on('error', () => {}));
    for (let count = 0; count < 20; count += 1)
      await sendAndReset(port, HANDSHAKE.replace(HOST, host));
    expect(await get(port)).toContain('still here');
  });

  it('lets the app send data after the client has ended its half (RFC 6455 §7.1.2)', async () => {
    const { port, app } = await startServing(() => {});
    app.server.on('upgrade', (_request, socket) => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      );
      socket.on('end', () => socket.end('final data'));
      socket.resume();
    });
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.write(`${HANDSHAKE}\r\nearly bytes`);
    await once(client, 'data');
    client.end();
    expect(String((await once(client, 'data'))[0])).toBe('final data');
    await once(client, 'close');
  });

  it('counts as in flight on its target until it is closed', async () => {
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

  it('does not delay stopping the ingress', async () => {
    const { ingress, port } = await startEcho();
    const socket = await open(port);
    await Promise.all([once(socket, 'close'), ingress.stop(60_000)]);
  });
});
