import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { exchange, HOST, startServing } from '../../test/ingress/ingress-fixture.ts';

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
