import { connect, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CERTIFICATE, SECURE_HOST, startEntrance } from '../../test/entrance-fixture.ts';
import { proxyHeader } from '../../test/proxy-header.ts';

const GET = `GET / HTTP/1.1\r\nHost: ${SECURE_HOST}\r\nX-Forwarded-For: 192.0.2.9\r\nConnection: close\r\n\r\n`;
const BEHIND_PROXY = { settings: { proxyProtocol: true, trustedProxies: ['127.0.0.1'] } };
const VISITOR = '203.0.113.7';

function start(options: Parameters<typeof startEntrance>[1] = BEHIND_PROXY) {
  return startEntrance(
    (request, response) => response.end(`visitor ${request.headers['x-forwarded-for']}`),
    options,
  );
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
  });
}

function received(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
  });
}

/** Sends the parts in packets of their own. */
async function sendParts(socket: Socket, parts: Uint8Array[]): Promise<void> {
  for (const part of parts) {
    await new Promise((resolve) => socket.write(part, resolve));
    await new Promise(setImmediate);
  }
}

describe('PROXY protocol', () => {
  const bytes = Buffer.concat([proxyHeader(VISITOR), Buffer.from(GET)]);

  it.each([1, 12, 16, 27, 28, 29, 60])(
    'reads a header that is split after %i bytes',
    async (at) => {
      const { ports } = await start();
      const socket = await open(ports.http);
      const response = received(socket);
      await sendParts(socket, [bytes.subarray(0, at), bytes.subarray(at)]);
      expect(await response).toMatch(new RegExp(`visitor ${VISITOR}$`));
    },
  );

  it('reads a header that arrives byte by byte', async () => {
    const { ports } = await start();
    const socket = await open(ports.http);
    const response = received(socket);
    await sendParts(
      socket,
      Array.from(bytes, (byte) => Buffer.from([byte])),
    );
    expect(await response).toMatch(new RegExp(`visitor ${VISITOR}$`));
  });

  it.each([false, true])('works before TLS, split: %s', async (isSplit) => {
    const { ports } = await start();
    const socket = await open(ports.https);
    const header = proxyHeader(VISITOR);
    await sendParts(socket, isSplit ? [header.subarray(0, 20), header.subarray(20)] : [header]);
    const secured = secure({ socket, servername: SECURE_HOST, ca: CERTIFICATE.chain });
    const response = received(secured);
    secured.write(GET);
    expect(await response).toMatch(new RegExp(`visitor ${VISITOR}$`));
  });

  it('names the proxy itself for its health checks', async () => {
    const { ports } = await start();
    const socket = await open(ports.http);
    const response = received(socket);
    const local = Buffer.from('0d0a0d0a000d0a515549540a20000000', 'hex');
    socket.write(Buffer.concat([local, Buffer.from(GET.replace(/X-Forwarded-For.*\r\n/, ''))]));
    expect(await response).toMatch(/visitor 127\.0\.0\.1$/);
  });

  it.each([
    ['a request without a header', Buffer.from(GET)],
    ['version 1', Buffer.from(`PROXY TCP4 ${VISITOR} 192.0.2.1 1 2\r\n${GET}`)],
    ['a header that is cut', bytes.subarray(0, 20)],
  ])('refuses %s', async (_name, sent) => {
    const { ports } = await start();
    const socket = await open(ports.http);
    const response = received(socket);
    socket.end(sent);
    expect(await response).toBe('');
  });

  it('refuses a header that does not arrive in time', async () => {
    const { ports } = await start({ ...BEHIND_PROXY, limits: { proxyHeaderMs: 100 } });
    const socket = await open(ports.http);
    const response = received(socket);
    socket.write(bytes.subarray(0, 20));
    expect(await response).toBe('');
  });

  it('refuses everybody but trusted proxies', async () => {
    const settings = { proxyProtocol: true, trustedProxies: ['192.0.2.1'] };
    const { ports } = await start({ settings });
    for (const sent of [bytes, Buffer.from(GET)]) {
      const socket = await open(ports.http);
      const response = received(socket);
      socket.write(sent);
      expect(await response).toBe('');
    }
  });

  it('is no part of HTTP while it is off', async () => {
    const { ports } = await start({ settings: { trustedProxies: ['127.0.0.1'] } });
    const socket = await open(ports.http);
    const response = received(socket);
    socket.write(bytes);
    expect(await response).toMatch(/^HTTP\/1\.1 400 /);
  });
});

it('lets a visitor in when another one has all connections', async () => {
  const { ports } = await start({ ...BEHIND_PROXY, limits: { connections: 3 } });
  const greedy = await Promise.all(Array.from({ length: 3 }, () => open(ports.http)));
  const first = greedy.map((socket) => new Promise((resolve) => socket.once('data', resolve)));
  for (const socket of greedy) {
    socket.write(
      Buffer.concat([proxyHeader('203.0.113.1'), Buffer.from(GET.replace('close', 'keep-alive'))]),
    );
  }
  await Promise.all(first);
  const closed = greedy.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  const visitor = await open(ports.http);
  const response = received(visitor);
  visitor.write(Buffer.concat([proxyHeader(VISITOR), Buffer.from(GET)]));
  expect(await response).toMatch(new RegExp(`visitor ${VISITOR}$`));
  await Promise.race(closed);
  expect(greedy.filter(({ destroyed }) => destroyed)).toHaveLength(1);
});
