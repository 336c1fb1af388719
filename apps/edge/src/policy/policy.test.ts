import { connect } from 'node:net';
import { type EdgePolicy, hashPassword, trustedProxies } from '@longshore/edge-contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { exchange, get, HOST, startApp, startIngress } from '../../test/ingress-fixture.ts';

let passwordHash = '';
beforeAll(async () => {
  passwordHash = await hashPassword('sesame');
});

type AppRequest = { url: string; authorization: string | undefined; bytes: number };

/** An app behind the edge that answers with its requests. */
async function startProtected(policy: EdgePolicy, options: { isTrusting?: boolean } = {}) {
  const requests: AppRequest[] = [];
  const app = await startApp((request, response) => {
    const seen = { url: request.url ?? '', authorization: request.headers.authorization, bytes: 0 };
    requests.push(seen);
    request.on('data', (chunk: Buffer) => {
      seen.bytes += chunk.length;
    });
    if (request.url === '/silent') return;
    request.on('end', () => {
      response.writeHead(200, { 'X-Frame-Options': 'SAMEORIGIN', 'X-App': 'yes' }).end('hello');
    });
  });
  const isTrustedProxy = options.isTrusting ? trustedProxies(['127.0.0.1']) : undefined;
  const { ingress, port } = await startIngress({}, { isTrustedProxy });
  const setPolicy = (next: EdgePolicy) =>
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app], policy: next });
  setPolicy(policy);
  return { app, ingress, port, requests, setPolicy };
}

const as = (credentials: string) => ({
  Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
});
const statusOf = (response: string) => Number(response.slice(9, 12));

describe('basic authentication', () => {
  it('lets in who knows the password, and does not pass it on to the app', async () => {
    const basicAuth = { username: 'ada', passwordHash };
    const { port, requests } = await startProtected({ basicAuth });
    const anonymous = await get(port);
    expect(statusOf(anonymous)).toBe(401);
    expect(anonymous).toMatch(/^WWW-Authenticate: Basic realm="Protected", charset="UTF-8"\r$/m);
    expect(statusOf(await get(port, '/', as('ada:wrong')))).toBe(401);
    expect(statusOf(await get(port, '/', as('eve:sesame')))).toBe(401);
    expect(requests).toEqual([]);
    for (const path of ['/first', '/second']) {
      expect(statusOf(await get(port, path, as('ada:sesame')))).toBe(200);
    }
    expect(requests.map(({ url, authorization }) => [url, authorization])).toEqual([
      ['/first', undefined],
      ['/second', undefined],
    ]);
  });

  it('protects websockets', async () => {
    const { port, requests } = await startProtected({
      basicAuth: { username: 'ada', passwordHash },
    });
    const handshake = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
    expect(statusOf(await exchange(port, handshake))).toBe(401);
    expect(requests).toEqual([]);
  });

  it('is off for other apps: they get the Authorization header', async () => {
    const { port, requests } = await startProtected({ headers: { 'X-A': 'b' } });
    await get(port, '/', as('ada:sesame'));
    expect(requests[0]?.authorization).toBe(as('ada:sesame').Authorization);
  });
});

describe('allowed addresses', () => {
  it('are compared with the address that a trusted proxy names', async () => {
    const policy = { allowedIps: ['203.0.113.0/24'] };
    const trusting = await startProtected(policy, { isTrusting: true });
    const named = (address: string) => ({ 'X-Forwarded-For': address });
    expect(statusOf(await get(trusting.port, '/', named('203.0.113.7')))).toBe(200);
    expect(statusOf(await get(trusting.port, '/', named('203.0.114.7')))).toBe(403);
    expect(statusOf(await get(trusting.port, '/', named('203.0.113.7, 192.0.2.1')))).toBe(403);
  });

  it('cannot be forged by a visitor', async () => {
    const { port, requests } = await startProtected({ allowedIps: ['203.0.113.0/24'] });
    const forged = { 'X-Forwarded-For': '203.0.113.7', 'X-Real-IP': '203.0.113.7' };
    expect(statusOf(await get(port, '/', forged))).toBe(403);
    expect(requests).toEqual([]);
  });
});

describe('the maximum size of a body', () => {
  const post = (headers: string, body: string) =>
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n${headers}\r\n\r\n${body}`;
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

  it('refuses a longer body before it is sent', async () => {
    const { port, requests } = await startProtected({ maxBodyBytes: 10 });
    const announced = post('Content-Length: 11\r\nExpect: 100-continue', '');
    const response = await answerTo(port, announced);
    expect(statusOf(response)).toBe(413);
    expect(requests).toEqual([]);
    expect(statusOf(await exchange(port, post('Content-Length: 10', '0123456789')))).toBe(200);
  });

  it('refuses a chunked body as soon as it is longer', async () => {
    const { port } = await startProtected({ maxBodyBytes: 10 });
    const chunked = (body: string) => post('Transfer-Encoding: chunked', body);
    const short = `${chunk('01234')}${chunk('56789')}0\r\n\r\n`;
    expect(statusOf(await exchange(port, chunked(short)))).toBe(200);
    // The end of the body never comes.
    expect(statusOf(await answerTo(port, chunked(chunk('01234567890'))))).toBe(413);
  });
});

it('responds for an app that takes too long', async () => {
  const { port, setPolicy } = await startProtected({ timeoutMs: 50 });
  expect(statusOf(await get(port, '/silent'))).toBe(504);
  setPolicy({ timeoutMs: 60_000 });
  expect(statusOf(await get(port))).toBe(200);
});

it('replaces headers of the app, and adds others', async () => {
  const { port } = await startProtected({ headers: { 'x-frame-options': 'DENY', 'X-New': '1' } });
  const response = await get(port);
  expect(response).toMatch(/^x-frame-options: DENY\r$/m);
  expect(response).not.toContain('SAMEORIGIN');
  expect(response).toMatch(/^X-New: 1\r$/m);
  expect(response).toMatch(/^X-App: yes\r$/m);
});

it('sends HSTS only where the visitor used HTTPS', async () => {
  const { port } = await startProtected({ hsts: true }, { isTrusting: true });
  const overHttps = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https' };
  expect(await get(port, '/', overHttps)).toMatch(/^Strict-Transport-Security: max-age=/m);
  expect(await get(port)).not.toMatch(/^Strict-Transport-Security/m);
});

it('redirects a host with path and query', async () => {
  const { port, requests } = await startProtected({
    redirects: [{ from: HOST, to: 'https://www.example.com' }],
  });
  const response = await get(port, '/a?b=c');
  expect(statusOf(response)).toBe(308);
  expect(response).toMatch(/^Location: https:\/\/www\.example\.com\/a\?b=c\r$/m);
  expect(requests).toEqual([]);
});

it('neither wakes a hibernated app nor keeps an app awake for a refused request', async () => {
  const { port, ingress } = await startProtected({});
  const refusals: EdgePolicy[] = [
    { maintenance: true },
    { allowedIps: ['203.0.113.7'] },
    { basicAuth: { username: 'ada', passwordHash } },
    { redirects: [{ from: HOST, to: 'https://example.com' }] },
    { maxBodyBytes: 1 },
  ];
  // The fixture fails on a wake.
  for (const policy of refusals) {
    ingress.routes.set('app-1', [HOST], { kind: 'hibernated', wakesOnRequest: true, policy });
    const request = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab`;
    expect([308, 401, 403, 413, 503]).toContain(statusOf(await exchange(port, request)));
  }
});

it('applies a changed policy to the next request', async () => {
  const { port, setPolicy } = await startProtected({ maintenance: true });
  const response = await get(port, '/', { Accept: 'text/html' });
  expect(statusOf(response)).toBe(503);
  expect(response).toContain('This app is down for maintenance.');
  expect(response).toMatch(/^Retry-After: 60\r$/m);
  setPolicy({});
  expect(statusOf(await get(port))).toBe(200);
});

it('applies the policy that a held request meets when the app is ready', async () => {
  const { app, port, ingress, requests } = await startProtected({});
  ingress.routes.set('app-1', [HOST], { kind: 'starting', policy: {} });
  const response = get(port);
  // The request is held by now: a later request on another connection was answered.
  ingress.routes.set('other', ['other.localhost'], { kind: 'failed' });
  await get(port, '/', { Host: 'other.localhost' });
  const policy = { allowedIps: ['203.0.113.7'] };
  ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app], policy });
  expect(statusOf(await response)).toBe(403);
  expect(requests).toEqual([]);
});

/** What is received before anything else is sent. The connection stays open. */
function answerTo(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.on('error', () => {});
    socket.setEncoding('latin1').once('data', (text: string) => {
      resolve(text);
      socket.destroy();
    });
  });
}
