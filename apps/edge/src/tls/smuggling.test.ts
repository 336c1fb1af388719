import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  connectSecurely,
  exchangeSecurely,
  SECURE_HOST,
  startEntrance,
} from '../../test/entrance-fixture.ts';

const HOST = `Host: ${SECURE_HOST}\r\n`;
const SMUGGLED = `GET /admin HTTP/1.1\r\n${HOST}\r\n`;
const CHUNKS = '0\r\n\r\n';

function post(headers: string, body: string): string {
  return `POST / HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
}

/** Ways to write Transfer-Encoding that one of two servers may overlook. */
const HIDDEN_CODINGS = [
  'Transfer-Encoding: xchunked\r\n',
  'Transfer-Encoding : chunked\r\n',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n',
  'Transfer-Encoding:\tchunked, identity\r\n',
  'Transfer-Encoding: x, chunked, x\r\n',
  ' Transfer-Encoding: chunked\r\n',
  'X: X\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding\r\n : chunked\r\n',
  'Transfer-Encoding: "chunked"\r\n',
  'Transfer-Encoding: chunked\u000b\r\n',
  'Transfer-Encoding: \u0000chunked\r\n',
  'Foo: bar\r\n\rTransfer-Encoding: chunked\r\n',
];

const ATTACKS: [string, string][] = [
  [
    'CL.TE',
    post(
      `Content-Length: ${CHUNKS.length + SMUGGLED.length}\r\nTransfer-Encoding: chunked\r\n`,
      CHUNKS + SMUGGLED,
    ),
  ],
  [
    'TE.CL',
    post(
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
      `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
    ),
  ],
  ...HIDDEN_CODINGS.map((coding): [string, string] => [
    `TE.TE ${JSON.stringify(coding)}`,
    post(`Content-Length: ${CHUNKS.length}\r\n${coding}`, CHUNKS + SMUGGLED),
  ]),
  ['two lengths', post(`Content-Length: 0\r\nContent-Length: ${SMUGGLED.length}\r\n`, SMUGGLED)],
  ['a list of lengths', post(`Content-Length: 0, ${SMUGGLED.length}\r\n`, SMUGGLED)],
  ['a length with a sign', post(`Content-Length: +${SMUGGLED.length}\r\n`, SMUGGLED)],
  ['a hexadecimal length', post(`Content-Length: 0x1\r\n`, SMUGGLED)],
  ['a length with a space', post(`Content-Length: 1 0\r\n`, SMUGGLED)],
  ['a chunk size with a sign', post('Transfer-Encoding: chunked\r\n', `+0\r\n\r\n${SMUGGLED}`)],
  [
    'a chunk size that overflows',
    post('Transfer-Encoding: chunked\r\n', `10000000000000000\r\n${SMUGGLED}`),
  ],
  [
    'a chunk that is longer than its size',
    post('Transfer-Encoding: chunked\r\n', `1\r\nxx\r\n0\r\n\r\n${SMUGGLED}`),
  ],
  ['a line feed after a chunk size', post('Transfer-Encoding: chunked\r\n', `0\n\n${SMUGGLED}`)],
  [
    'a body of HTTP/1.0 with a coding',
    `POST / HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${CHUNKS}${SMUGGLED}`,
  ],
  ['HTTP/0.9', 'GET /admin\r\n\r\n'],
  ['a request line with a line feed', `GET / HTTP/1.1\nX: y\r\n${HOST}\r\n${SMUGGLED}`],
  [
    'a name with a space',
    `GET / HTTP/1.1\r\n${HOST}Content-Length : ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
  ],
];

async function start() {
  const seen: string[] = [];
  const seenHeaders: string[] = [];
  const { ports } = await startEntrance((request, response) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (length !== undefined && coding !== undefined) seen.push('ambiguous');
    seen.push(`${request.method} ${request.url}`);
    seenHeaders.push(...Object.keys(request.headers));
    request.resume();
    request.on('end', () => response.end());
  });
  return { seen, seenHeaders, ports };
}

/** What the server sent until it closed the connection. */
function send(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}

describe('request smuggling over HTTP/1.1', () => {
  it.each(ATTACKS)('is refused: %s', async (_name, bytes) => {
    const { seen, ports } = await start();
    const received = await send(ports.http, bytes);
    expect(received.startsWith('HTTP/1.1 2')).toBe(false);
    expect(seen).toEqual([]);
    const next = `GET /next HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
    expect(await send(ports.http, next)).toMatch(/^HTTP\/1\.1 200 /);
    expect(seen).toEqual(['GET /next']);
  });

  it('is refused over TLS too', async () => {
    const { seen, ports } = await start();
    const [[, bytes] = ['', '']] = ATTACKS;
    const received = await exchangeSecurely(await connectSecurely(ports.https), bytes);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual([]);
  });

  it('hides codings that programs read which treat underscores as dashes', async () => {
    const { seenHeaders, ports } = await start();
    const headers = 'Transfer_Encoding: chunked\r\nConnection: close\r\nContent-Length: 5\r\n';
    expect(await send(ports.http, post(headers, CHUNKS))).toMatch(/^HTTP\/1\.1 200 /);
    expect(seenHeaders).not.toContain('transfer_encoding');
    expect(seenHeaders).toContain('content-length');
  });

  it('does not refuse requests that follow each other', async () => {
    const { seen, ports } = await start();
    const second = `GET /b HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
    const received = await send(ports.http, post('Content-Length: 2\r\n', `hi${second}`));
    expect(received.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(seen).toEqual(['POST /', 'GET /b']);
  });
});
