import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { exchange, get, HOST, startIngress } from '../../test/ingress-fixture.ts';
import { type RawRequest, rawResponse, startRawApp } from '../../test/raw-app.ts';

async function serveRaw(onRequest: (request: RawRequest) => void) {
  const app = await startRawApp(onRequest);
  const { ingress, port } = await startIngress();
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app] });
  return { app, ingress, port };
}

it.each([
  ['a length beside chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a second response inside a header', 'X-A: b\rSet-Cookie: c=d\r\nContent-Length: 0\r\n\r\n'],
  ['a folded header', 'X-A: b\r\n Set-Cookie: c=d\r\nContent-Length: 0\r\n\r\n'],
])('answers 502 for a response with %s', async (_what, rest) => {
  const { port } = await serveRaw(({ socket }) => socket.write(`HTTP/1.1 200 OK\r\n${rest}`));
  const response = await get(port);
  expect(response).toMatch(/^HTTP\/1.1 502 /);
  expect(response).not.toContain('Set-Cookie');
});

it.each([
  ['Date: now\r\nX-A: b', 'Date: now\r\nX-A: b\r\n'],
  ['x-a:b\r\ndate: now', 'x-a: b\r\ndate: now\r\n'],
  ['X-A: \t b \t\r\nDATE:now', 'X-A: b\r\nDATE: now\r\n'],
  ['X-A:\r\nDate: now', 'X-A: \r\nDate: now\r\n'],
])('passes the headers %j on, and adds what belongs to the connection', async (sent, expected) => {
  const { port } = await serveRaw(({ socket }) =>
    socket.write(`HTTP/1.1 200 Fine\r\n${sent}\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\nok`),
  );
  expect(await get(port)).toBe(
    `HTTP/1.1 200 Fine\r\n${expected}Content-Length: 2\r\nConnection: close\r\n\r\nok`,
  );
});

it('adds a date to a response that has none, or whose date is for the connection', async () => {
  const { port } = await serveRaw(({ socket, connection }) => {
    const header = connection === 1 ? 'X-A: b' : 'Date: now\r\nConnection: close, date';
    socket.end(`HTTP/1.1 200 OK\r\n${header}\r\nContent-Length: 0\r\n\r\n`);
  });
  for (const _round of [1, 2]) expect(await get(port)).toMatch(/\r\nDate: \w{3}, \d\d /);
});

it('does not reuse a connection on which the app sent more than its response', async () => {
  const { app, port } = await serveRaw(({ socket, connection }) => {
    const smuggled = rawResponse('smuggled');
    socket.write(connection === 1 ? rawResponse('first') + smuggled : rawResponse('second'));
  });
  expect(await get(port)).toMatch(/first$/);
  expect(await get(port)).toMatch(/second$/);
  expect(app.connections()).toBe(2);
});

it('closes an idle connection on which the app sends something', async () => {
  const { app, port } = await serveRaw(({ socket, connection }) => {
    socket.write(rawResponse(`from ${connection}`));
    if (connection === 1) setImmediate(() => socket.write(rawResponse('smuggled')));
    if (connection === 1) socket.on('close', () => app.server.emit('idle-closed'));
  });
  const closed = once(app.server, 'idle-closed');
  expect(await get(port)).toMatch(/from 1$/);
  await closed;
  expect(await get(port)).toMatch(/from 2$/);
});

it.each(['Connection: close\r\n', 'Keep-Alive: timeout=1\r\n'])(
  'does not reuse a connection after %j',
  async (header) => {
    const { app, port } = await serveRaw(({ socket }) => socket.write(rawResponse('ok', header)));
    await get(port);
    await get(port);
    expect(app.connections()).toBe(2);
  },
);

it('does not reuse a connection of HTTP/1.0', async () => {
  const { app, port } = await serveRaw(({ socket }) => {
    socket.write('HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  expect(await get(port)).toMatch(/ok$/);
  await get(port);
  expect(app.connections()).toBe(2);
});

it('closes the connection of a response that came before the end of the request', async () => {
  const received: string[] = [];
  const { app, port } = await serveRaw(({ socket, text, connection }) => {
    received.push(`${connection} ${text}`);
    if (text.startsWith('POST') || text.startsWith('GET')) socket.write(rawResponse('early'));
  });
  const visitor = connect(port, '127.0.0.1');
  visitor.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 40\r\n\r\n0123456789`);
  await once(visitor, 'data');
  visitor.write(`GET /smuggled HTTP/1.1\r\n${'x'.repeat(6)}`);
  expect(await get(port)).toMatch(/early$/);
  expect(app.connections()).toBe(2);
  expect(received.join('\n')).not.toContain('smuggled');
  visitor.destroy();
});

it('aborts the response when the app ends it early', async () => {
  const { port } = await serveRaw(({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart');
  });
  const response = await exchange(port, `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  expect(response).toMatch(/part$/);
});

it('never ends a chunked response that the app did not end', async () => {
  const { port } = await serveRaw(({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n');
  });
  const response = await exchange(port, `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  expect(response).toContain('part');
  expect(response).not.toContain('\r\n0\r\n');
});

it('passes on a body in chunks of one byte in fewer pieces', async () => {
  const { port } = await serveRaw(({ socket }) => {
    const chunks = '1\r\nx\r\n'.repeat(5_000);
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
  });
  const [, body = ''] = (await get(port)).split('\r\n\r\n', 2);
  expect(body.match(/x/g)).toHaveLength(5_000);
  expect(body.split('\r\n').length).toBeLessThan(500);
});

it('reads a response without length until the app closes the connection', async () => {
  const { port } = await serveRaw(({ socket }) =>
    socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end'),
  );
  expect(await get(port)).toContain('until the end');
  expect(await get(port)).toMatch(/\r\n0\r\n\r\n$/);
});

it('answers pipelined requests in order, each on its own connection to the app', async () => {
  const { port } = await serveRaw(({ socket, text }) => {
    const path = text.split(' ')[1] ?? '';
    if (path === '/slow') setTimeout(() => socket.write(rawResponse('slow')), 50);
    else socket.write(rawResponse('fast'));
  });
  const head = `HTTP/1.1\r\nHost: ${HOST}\r\n`;
  const response = await exchange(
    port,
    `GET /slow ${head}\r\nGET /fast ${head}Connection: close\r\n\r\n`,
  );
  expect(response).toMatch(/slowHTTP[\s\S]*fast$/);
});

it('reads a head that arrives byte by byte', async () => {
  const { port } = await serveRaw(({ socket, text }) => {
    socket.write(rawResponse(text.split(' ')[1] ?? ''));
  });
  const visitor = connect(port, '127.0.0.1').setNoDelay();
  const bytes = `GET /slow HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;
  let received = '';
  visitor.on('data', (data) => {
    received += data;
  });
  for (const byte of bytes) await new Promise((resolve) => visitor.write(byte, resolve));
  await once(visitor, 'close');
  expect(received).toMatch(/\/slow$/);
});

it('does not reuse a connection whose response is complete while the visitor still reads', async () => {
  const { app, port } = await serveRaw(({ socket }) => {
    socket.write(rawResponse('x'.repeat(3_000_000)));
  });
  const visitor = connect(port, '127.0.0.1').pause();
  visitor.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await eventually(() => app.connections() === 1, 'the first request');
  expect((await get(port)).length).toBeGreaterThan(3_000_000);
  let read = 0;
  visitor.on('data', (data) => {
    read += data.length;
  });
  visitor.resume();
  await eventually(() => read > 3_000_000, 'the whole response');
  visitor.destroy();
});
