import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  CERTIFICATE,
  connectSecurely,
  type EntranceOptions,
  exchangeSecurely,
  SECURE_HOST,
  startEntrance,
} from '../../test/entrance-fixture.ts';
import { goawayOf, openFrameClient, outcomeOf, requestHeaders } from '../../test/http2-frames.ts';

type Listener = Parameters<typeof startEntrance>[0];

async function startHttp2(listener: Listener, options: EntranceOptions = {}) {
  const started = await startEntrance(listener, options);
  return { ...started, session: openSession(started.ports.https) };
}

function openSession(port: number): ClientHttp2Session {
  const session = connect(`https://127.0.0.1:${port}`, {
    servername: SECURE_HOST,
    ca: CERTIFICATE.chain,
  });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  return session;
}

const REQUEST = { ':path': '/', ':authority': SECURE_HOST };

type Answer = { headers: IncomingHttpHeaders; body: string; trailers: IncomingHttpHeaders };

function send(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders = {},
  body?: string,
): Promise<Answer> {
  const stream = session.request({ ...REQUEST, ...headers }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return answerOf(stream);
}

function answerOf(stream: ClientHttp2Stream): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const answer: Answer = { headers: {}, body: '', trailers: {} };
    stream.setEncoding('utf8');
    stream.on('response', (headers) => {
      answer.headers = headers;
    });
    stream.on('trailers', (trailers) => {
      answer.trailers = trailers;
    });
    stream.on('data', (text) => {
      answer.body += text;
    });
    stream.on('error', reject);
    stream.on('close', () => resolve(answer));
  });
}

/** Answers with the request as the app saw it. */
const echo: Listener = (request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { method, url, headers, httpVersion } = request;
    response.end(JSON.stringify({ method, url, headers, httpVersion, body }));
  });
};

async function seenByApp(answer: Promise<Answer>) {
  return JSON.parse((await answer).body);
}

describe('HTTP/2', () => {
  it('forwards a request as HTTP/1.1', async () => {
    const { session } = await startHttp2(echo);
    const seen = await seenByApp(send(session, { ':path': '/a?b=c', cookie: ['a=1', 'b=2'] }));
    expect(seen).toMatchObject({ method: 'GET', url: '/a?b=c', httpVersion: '1.1', body: '' });
    expect(seen.headers).toMatchObject({
      host: SECURE_HOST,
      cookie: 'a=1; b=2',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '127.0.0.1',
    });
    expect(Object.keys(seen.headers).filter((name) => name.startsWith(':'))).toEqual([]);
  });

  it('forwards bodies of known and unknown length', async () => {
    const { session } = await startHttp2(echo);
    const chunked = await seenByApp(send(session, { ':method': 'POST' }, 'body'));
    expect(chunked).toMatchObject({ body: 'body', headers: { 'transfer-encoding': 'chunked' } });
    const headers = { ':method': 'POST', 'content-length': '4' };
    const measured = await seenByApp(send(session, headers, 'body'));
    expect(measured).toMatchObject({ body: 'body', headers: { 'content-length': '4' } });
    const large = 'x'.repeat(3_000_000);
    expect((await seenByApp(send(session, { ':method': 'PUT' }, large))).body).toBe(large);
  });

  it('responds with the headers of the app that HTTP/2 allows', async () => {
    const { session } = await startHttp2((_request, response) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.writeHead(404, 'Gone Fishing', { 'Keep-Alive': 'timeout=5', 'X-Own': 'é' });
      response.end('missing');
    });
    const { headers, body } = await send(session);
    expect(headers).toMatchObject({ ':status': 404, 'set-cookie': ['a=1', 'b=2'], 'x-own': 'é' });
    expect(body).toBe('missing');
    expect(headers['keep-alive'] ?? headers.connection ?? headers['transfer-encoding']).toBe(
      undefined,
    );
  });

  it('answers HEAD, 204 and 304 without a body', async () => {
    const { session } = await startHttp2((request, response) => {
      response.statusCode = Number(request.url?.slice(1));
      response.end(request.method === 'HEAD' ? undefined : '');
    });
    expect((await send(session, { ':method': 'HEAD', ':path': '/200' })).body).toBe('');
    expect((await send(session, { ':path': '/204' })).headers[':status']).toBe(204);
    expect((await send(session, { ':path': '/304' })).headers[':status']).toBe(304);
  });

  it('serves many requests of one connection at once', async () => {
    const { session } = await startHttp2(echo);
    const paths = Array.from({ length: 100 }, (_, index) => `/${index}`);
    const seen = await Promise.all(
      paths.map((path) => seenByApp(send(session, { ':path': path }))),
    );
    expect(seen.map(({ url }) => url)).toEqual(paths);
  });

  it('streams events before the response ends', async () => {
    const { session } = await startHttp2((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const stream = session.request(REQUEST);
    const [chunk] = await once(stream, 'data');
    expect(String(chunk)).toBe('data: 1\n\n');
    stream.close();
  });

  it('cuts a response that the app cut', async () => {
    const { session } = await startHttp2((_request, response) => {
      response.writeHead(200, { 'Content-Length': '10' });
      response.write('12345', () => response.destroy());
    });
    await expect(send(session)).rejects.toThrow(/NGHTTP2/);
  });

  it('reports a cut body to the app', async () => {
    const ends: string[] = [];
    const chunks: string[] = [];
    const { session } = await startHttp2((request) => {
      request.on('data', (chunk) => chunks.push(String(chunk)));
      request.on('end', () => ends.push('end'));
      request.on('error', () => ends.push('error'));
    });
    const stream = session.request({ ...REQUEST, ':method': 'POST' });
    stream.on('error', () => {});
    stream.write('half');
    await vi.waitFor(() => expect(chunks).toEqual(['half']));
    session.destroy();
    await vi.waitFor(() => expect(ends).toEqual(['error']));
  });

  it('does not offer websockets', async () => {
    const { session } = await startHttp2(echo);
    const [settings] = await once(session, 'remoteSettings');
    expect(settings.enableConnectProtocol).toBe(false);
    const stream = session.request({ ':method': 'CONNECT', ':authority': SECURE_HOST });
    expect((await answerOf(stream)).headers[':status']).toBe(405);
  });
});

describe('the end of connections', () => {
  it('lets requests over HTTP/2 finish, and announces which ones to send again', async () => {
    const pending: (() => void)[] = [];
    const { ports, entrance } = await startEntrance((_request, response) => {
      pending.push(() => response.end('done'));
    });
    const client = await openFrameClient(ports.https);
    client.send(requestHeaders(1));
    await vi.waitFor(() => expect(pending).toHaveLength(1));
    entrance.announceEnd();
    await vi.waitFor(() => expect(goawayOf(client)).toEqual({ code: 0, lastStream: 1 }));
    client.send(requestHeaders(3));
    for (const finish of pending) finish();
    await vi.waitFor(() => expect(outcomeOf(client, 1)).toBe('ok'));
    await vi.waitFor(() => expect(client.isClosed()).toBe(true));
    expect(pending).toHaveLength(1);
  });

  it('closes a connection of HTTP/1.1 after its next response', async () => {
    const { ports, entrance } = await startEntrance(echo);
    const bytes = `GET / HTTP/1.1\r\nHost: ${SECURE_HOST}\r\n\r\n`;
    const socket = await connectSecurely(ports.https);
    entrance.announceEnd();
    expect(await exchangeSecurely(socket, bytes)).toContain('Connection: close\r\n');
  });

  it('closes idle connections of HTTP/2', async () => {
    const { ports, entrance } = await startEntrance(echo);
    const client = await openFrameClient(ports.https);
    client.send(requestHeaders(1));
    await vi.waitFor(() => expect(outcomeOf(client, 1)).toBe('ok'));
    entrance.announceEnd();
    await vi.waitFor(() => expect(client.isClosed()).toBe(true));
  });
});
