import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { exchange, HOST, startServing } from '../../test/ingress-fixture.ts';
import { LIMITS } from './limits.ts';

const HEAD = `Host: ${HOST}\r\n`;
const SMUGGLED = `GET /smuggled HTTP/1.1\r\n${HEAD}\r\n`;

it.each([
  [
    'both a length and chunks',
    `POST / HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'chunks, then a length',
    `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'two lengths',
    `POST / HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nContent-Length: 0\r\n\r\n${SMUGGLED}`,
  ],
  ['a length that is no number', `POST / HTTP/1.1\r\n${HEAD}Content-Length: +0\r\n\r\n${SMUGGLED}`],
  [
    'a space before the colon',
    `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a folded header', `GET / HTTP/1.1\r\n${HEAD}X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n`],
  ['a bare line feed', `GET / HTTP/1.1\n${HEAD}\n`],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['two hosts', `GET / HTTP/1.1\r\n${HEAD}Host: other\r\nConnection: close\r\n\r\n`],
  [
    'an unsupported coding',
    `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`,
  ],
  [
    'a bad chunk size',
    `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n`,
  ],
])('blocks request smuggling with %s', async (_attack, bytes) => {
  const paths: string[] = [];
  const { port } = await startServing(async (incoming, response) => {
    await text(incoming).catch(() => '');
    paths.push(incoming.url ?? '');
    response.end();
  });
  const response = await exchange(port, bytes);
  expect(response).toMatch(/^HTTP\/1.1 (400|501|502) /);
  expect(paths).not.toContain('/smuggled');
});

it('forwards an upgrade to clear-text HTTP/2 as a plain request', async () => {
  const { port } = await startServing((incoming, response) => {
    response.end(`upgrade: ${incoming.headers.upgrade}`);
  });
  const upgradeHeaders =
    'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nConnection: Upgrade, HTTP2-Settings, close';
  const response = await exchange(port, `GET / HTTP/1.1\r\n${HEAD}${upgradeHeaders}\r\n\r\n`);
  expect(response).toContain('upgrade: undefined');
});

it('closes the connection of a client that never finishes its headers', async () => {
  const { port } = await startServing((_incoming, response) => response.end(), { headersMs: 100 });
  expect(await exchange(port, `GET / HTTP/1.1\r\n${HEAD}X-Slow: `)).toMatch(/^HTTP\/1.1 408 /);
});

it('rejects a header that is too large', async () => {
  const { port } = await startServing((_incoming, response) => response.end());
  const response = await exchange(
    port,
    `GET / HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(20_000)}\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1.1 431 /);
});

it('rejects CONNECT', async () => {
  const { port } = await startServing((_incoming, response) => response.end('no'));
  expect(await exchange(port, `CONNECT ${HOST}:443 HTTP/1.1\r\n${HEAD}\r\n`)).toBe('');
});

it('lets one connection have a limited number of requests at a time', async () => {
  let requests = 0;
  const { port } = await startServing(() => {
    requests += 1;
  });
  const request = `GET / HTTP/1.1\r\n${HEAD}\r\n`;
  const visitor = connect(port, '127.0.0.1');
  visitor.write(request.repeat(LIMITS.pipelinedRequests));
  await eventually(() => requests === LIMITS.pipelinedRequests, 'all requests that are allowed');
  expect(await exchange(port, request.repeat(LIMITS.pipelinedRequests + 1))).toBe('');
  visitor.destroy();
});

it('answers any number of requests of one connection after each other', async () => {
  const { port } = await startServing((_incoming, response) => void response.end('ok'));
  const request = `GET / HTTP/1.1\r\n${HEAD}`;
  const visitor = connect(port, '127.0.0.1');
  let responses = 0;
  visitor.on('data', (bytes) => {
    responses += String(bytes).match(/HTTP\/1.1 200/g)?.length ?? 0;
  });
  for (let sent = 50; sent <= 150; sent += 50) {
    visitor.write(`${request}\r\n`.repeat(50));
    await eventually(() => responses === sent, `${sent} responses`);
  }
  visitor.destroy();
});

it('passes on a body in chunks of one byte in fewer pieces', async () => {
  let pieces = 0;
  const { port } = await startServing((incoming, response) => {
    incoming.on('data', () => {
      pieces += 1;
    });
    incoming.on('end', () => response.end(`${pieces} pieces`));
  });
  const chunks = '1\r\nx\r\n'.repeat(5_000);
  const head = `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
  await exchange(port, `${head}${chunks}0\r\n\r\n`);
  expect(pieces).toBeLessThan(500);
});
