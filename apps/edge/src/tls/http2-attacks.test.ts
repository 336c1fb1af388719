import { describe, expect, it, vi } from 'vitest';
import { SECURE_HOST, startEntrance } from '../../test/entrance-fixture.ts';
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  type FrameClient,
  frame,
  headerBlock,
  openFrameClient,
  outcomeOf,
  pseudoHeaders,
  requestHeaders,
} from '../../test/http2-frames.ts';

const PROTOCOL_ERROR = 'reset 1';
const CALM = 11;

async function start() {
  const seen: string[] = [];
  const seenHeaders: string[][] = [];
  const { ports } = await startEntrance((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    seenHeaders.push(Object.keys(request.headers).toSorted());
    request.resume();
    request.on('end', () => response.end('ok'));
    request.on('error', () => seen.push('cut'));
  });
  return { seen, seenHeaders, ports, client: await openFrameClient(ports.https) };
}

async function outcome(client: FrameClient, stream = 1): Promise<string | undefined> {
  await vi.waitFor(
    () =>
      expect(outcomeOf(client, stream) ?? (client.isClosed() ? 'closed' : undefined)).toBeDefined(),
    10_000,
  );
  return outcomeOf(client, stream) ?? 'closed';
}

async function closed(client: FrameClient): Promise<void> {
  await vi.waitFor(() => expect(client.isClosed()).toBe(true), 20_000);
}

describe('request smuggling over HTTP/2', () => {
  it('serves the plain request of these tests', async () => {
    const { client, seen } = await start();
    client.send(requestHeaders(1, [['x-own', 'value']]));
    expect(await outcome(client)).toBe('ok');
    expect(seen).toEqual(['GET /']);
  });

  it.each([
    ['H2.TE: transfer-encoding', [['transfer-encoding', 'chunked']]],
    ['H2.TE: transfer-encoding identity', [['transfer-encoding', 'identity']]],
    ['connection', [['connection', 'keep-alive']]],
    ['connection that names a header', [['connection', 'x-forwarded-for']]],
    ['keep-alive', [['keep-alive', 'timeout=5']]],
    ['proxy-connection', [['proxy-connection', 'keep-alive']]],
    ['upgrade', [['upgrade', 'websocket']]],
    ['te other than trailers', [['te', 'chunked']]],
    ['upper case in a name', [['X-Own', 'b']]],
    [
      'two content-lengths',
      [
        ['content-length', '0'],
        ['content-length', '5'],
      ],
    ],
    ['H2.CL: content-length without a body', [['content-length', '5']]],
    ['a negative content-length', [['content-length', '-1']]],
    ['a list as content-length', [['content-length', '0, 0']]],
    ['a content-length with a sign', [['content-length', '+0']]],
    [
      'a pseudo header after a header',
      [
        ['x-own', 'a'],
        [':path', '/admin'],
      ],
    ],
    ['a second :path', [[':path', '/admin']]],
    ['a second :authority', [[':authority', 'other.test']]],
    ['a second :method', [[':method', 'POST']]],
    ['a pseudo header of responses', [[':status', '200']]],
    ['an unknown pseudo header', [[':own', 'a']]],
    [
      'two hosts',
      [
        ['host', SECURE_HOST],
        ['host', SECURE_HOST],
      ],
    ],
  ] as const)('refuses %s', async (_name, headers) => {
    const { client, seen } = await start();
    client.send(requestHeaders(1, headers));
    expect(await outcome(client)).toBe(PROTOCOL_ERROR);
    expect(seen).toEqual([]);
  });

  // nghttp2 does not let the server know of such headers.
  it.each([
    ['CRLF in a value', [['x-own', 'a\r\ntransfer-encoding: chunked']]],
    ['LF in a value', [['x-own', 'a\nb: c']]],
    ['CR in a value', [['x-own', 'a\rb']]],
    ['NUL in a value', [['x-own', 'a\0b']]],
    ['CRLF in a name', [['x-own\r\nhost', 'a']]],
    ['a colon in a name', [['x-own: a', 'b']]],
    ['a space in a name', [['x own', 'b']]],
    ['an empty name', [['', 'b']]],
  ] as const)('drops a header with %s', async (_name, headers) => {
    const { client, seenHeaders } = await start();
    client.send(requestHeaders(1, headers));
    expect(await outcome(client)).toBe('ok');
    expect(seenHeaders).toEqual([
      ['host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
    ]);
  });

  it.each([
    ['another host than :authority', [['host', 'other.test']], 'status 400'],
    ['the same host as :authority', [['host', SECURE_HOST]], 'ok'],
  ] as const)('with %s: %s', async (_name, headers, expected) => {
    const { client } = await start();
    client.send(requestHeaders(1, headers));
    expect(await outcome(client)).toBe(expected);
  });

  it.each([
    ['a space in the method', { ':method': 'GET /admin HTTP/1.1' }],
    ['CRLF in the method', { ':method': 'GET\r\n' }],
    ['an empty method', { ':method': '' }],
    ['a space in the path', { ':path': '/ HTTP/1.1' }],
    ['CRLF in the path', { ':path': '/\r\nx: y' }],
    ['an empty path', { ':path': '' }],
    ['a path without a slash', { ':path': 'admin' }],
    ['a URL as path', { ':path': 'https://other.test/' }],
    ['CRLF in the authority', { ':authority': `${SECURE_HOST}\r\nx: y` }],
    ['a path in the authority', { ':authority': `${SECURE_HOST}/admin` }],
    ['no path', { ':path': undefined }],
    ['no method', { ':method': undefined }],
    ['no scheme', { ':scheme': undefined }],
    ['neither authority nor host', { ':authority': undefined }],
    [
      'an extended CONNECT, which is not offered',
      { ':method': 'CONNECT', ':protocol': 'websocket' },
    ],
  ])('refuses %s', async (_name, changes: Record<string, string | undefined>) => {
    const { client, seen } = await start();
    const headers = { ...Object.fromEntries(pseudoHeaders()), ...changes };
    const list = Object.entries(headers).filter(
      (it): it is [string, string] => it[1] !== undefined,
    );
    const flags = END_HEADERS | END_STREAM;
    client.send(frame(FRAME.headers, { stream: 1, flags, payload: headerBlock(list) }));
    expect(await outcome(client)).toMatch(/^reset 1$|^status 40[04]$|^closed$/);
    expect(seen).toEqual([]);
  });

  it.each([
    ['H2.CL: more bytes than content-length', '2', 'hello'],
    ['H2.CL: content-length 0 before a body', '0', 'GET /admin HTTP/1.1\r\n\r\n'],
    ['H2.CL: fewer bytes than content-length', '9', 'hello'],
  ])('refuses %s, and the next request is not affected', async (_name, contentLength, body) => {
    const { client, seen, ports } = await start();
    const payload = Buffer.from(body);
    client.send(
      requestHeaders(1, [['content-length', contentLength]], 0),
      frame(FRAME.data, { stream: 1, flags: END_STREAM, payload }),
    );
    expect(await outcome(client)).toMatch(/^reset 1$|^closed$/);
    const next = await openFrameClient(ports.https);
    next.send(requestHeaders(1));
    expect(await outcome(next)).toBe('ok');
    expect(seen.filter((line) => line.includes('/admin'))).toEqual([]);
  });

  it('cuts the request of an app when the visitor resets it', async () => {
    const { client, seen } = await start();
    const payload = Buffer.from('half');
    client.send(requestHeaders(1, [], 0), frame(FRAME.data, { stream: 1, payload }));
    await vi.waitFor(() => expect(seen).toEqual(['GET /']));
    client.send(frame(FRAME.reset, { stream: 1, payload: Buffer.from([0, 0, 0, 8]) }));
    await vi.waitFor(() => expect(seen).toEqual(['GET /', 'cut']));
  });
});

describe('floods over HTTP/2', () => {
  it('closes the connection after many resets (CVE-2023-44487)', async () => {
    const { client, seen } = await start();
    const cancel = Buffer.from([0, 0, 0, 8]);
    for (let stream = 1; stream < 4_000 && !client.isClosed(); stream += 2) {
      client.send(requestHeaders(stream), frame(FRAME.reset, { stream, payload: cancel }));
    }
    await closed(client);
    expect(seen.length).toBeLessThan(400);
  });

  it('closes the connection on a flood of CONTINUATION frames', async () => {
    const { client } = await start();
    client.send(frame(FRAME.headers, { stream: 1, payload: headerBlock(pseudoHeaders()) }));
    const payload = headerBlock([['x', 'y']]);
    for (let count = 0; count < 2_000; count += 1) {
      client.send(frame(FRAME.continuation, { stream: 1, payload }));
    }
    await closed(client);
  });

  it.each([
    ['PING', frame(FRAME.ping, { payload: Buffer.alloc(8) })],
    ['SETTINGS', frame(FRAME.settings)],
  ])('closes the connection on a flood of %s frames', async (_name, bytes) => {
    const { client } = await start();
    for (let count = 0; count < 3_000; count += 1) client.send(bytes);
    await closed(client);
  });

  it('closes the connection on a flood of empty DATA frames', async () => {
    const { client } = await start();
    client.send(requestHeaders(1, [], 0));
    for (let count = 0; count < 20_000 && !client.isClosed(); count += 1) {
      client.send(frame(FRAME.data, { stream: 1 }));
    }
    await closed(client);
  });

  it('refuses streams beyond the limit', async () => {
    const { ports } = await startEntrance(() => {});
    const client = await openFrameClient(ports.https);
    for (let stream = 1; stream <= 2 * 129; stream += 2) client.send(requestHeaders(stream));
    expect(await outcome(client, 257)).toMatch(/^reset [17]$/);
  });

  it('refuses headers that are too long, or too many', async () => {
    const { client, seen } = await start();
    const payload = headerBlock([['x-own', 'x'.repeat(9_000)]]);
    client.send(
      frame(FRAME.headers, { stream: 1, flags: END_STREAM, payload: headerBlock(pseudoHeaders()) }),
      frame(FRAME.continuation, { stream: 1, payload }),
      frame(FRAME.continuation, { stream: 1, flags: END_HEADERS, payload }),
    );
    const many = Array.from({ length: 300 }, (_, index) => [`x-${index}`, 'y'] as const);
    client.send(requestHeaders(3, many));
    expect(await outcome(client, 1)).toMatch(/^status 4803343331/);
    expect(await outcome(client, 3)).toBe(`reset ${CALM}`);
    expect(seen).toEqual([]);
  });

  it('closes a connection that sends no request, whatever else it sends', async () => {
    const { ports } = await startEntrance(() => {}, { limits: { headersMs: 500 } });
    const client = await openFrameClient(ports.https);
    const ping = setInterval(() => {
      if (!client.isClosed()) client.send(frame(FRAME.ping, { payload: Buffer.alloc(8) }));
    }, 50);
    await closed(client);
    clearInterval(ping);
  });
});
