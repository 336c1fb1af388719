import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { trustedProxies } from '@longshore/edge-contract';
import { describe, expect, it } from 'vitest';
import {
  exchange,
  get,
  HOST,
  startApp,
  startIngress,
  startServing,
  unusedAddress,
} from '../../test/ingress-fixture.ts';

type Sent = { outgoing: ClientRequest; response: Promise<IncomingMessage> };

function send(port: number, options: { method?: string; headers?: Record<string, string> }): Sent {
  const headers = { Host: HOST, ...options.headers };
  const outgoing = request({ host: '127.0.0.1', port, agent: false, ...options, headers });
  const response = once(outgoing, 'response').then(([incoming]) => incoming as IncomingMessage);
  return { outgoing, response };
}

describe('a forwarded request', () => {
  it('keeps method, path, query and body', async () => {
    const { port } = await startServing(async (incoming, response) => {
      response.end(`${incoming.method} ${incoming.url} ${await text(incoming)}`);
    });
    const { outgoing, response } = send(port, { method: 'PATCH' });
    outgoing.end('some body');
    expect(await text(await response)).toBe('PATCH / some body');
    expect(await get(port, '/a%20b?c=d&e')).toContain('GET /a%20b?c=d&e');
  });

  it('has the address of the connecting client, whatever headers the client sends', async () => {
    const { port } = await startServing((incoming, response) => {
      response.end(JSON.stringify(incoming.headers));
    });
    const response = await get(port, '/', {
      'X-Forwarded-For': '6.6.6.6',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Port': '443',
      Forwarded: 'for=6.6.6.6',
      'True-Client-IP': '6.6.6.6',
      'cf-connecting-ip': '6.6.6.6',
      X_Real_IP: '6.6.6.6',
      'X-Original-URL': '/admin',
    });
    const headers = JSON.parse(
      response.slice(response.indexOf('{'), response.lastIndexOf('}') + 1),
    );
    expect(headers).toMatchObject({
      host: HOST,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': HOST,
    });
    expect(headers).not.toHaveProperty('x-forwarded-port');
    expect(headers).not.toHaveProperty('forwarded');
    expect(JSON.stringify(headers)).not.toMatch(/6\.6\.6\.6|admin/);
  });

  it('trusts the X-Forwarded headers of a configured proxy', async () => {
    const app = await startApp((incoming, response) => {
      const { 'x-forwarded-for': address, 'x-forwarded-proto': protocol } = incoming.headers;
      response.end(`${address} by ${protocol}, ${incoming.headers['true-client-ip']}`);
    });
    const { ingress, port } = await startIngress(
      {},
      { isTrustedProxy: trustedProxies(['127.0.0.0/8']) },
    );
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app] });
    const proxyHeaders = {
      'X-Forwarded-For': '6.6.6.6, 203.0.113.9',
      'X-Forwarded-Proto': 'https',
      'True-Client-IP': '203.0.113.9',
    };
    expect(await get(port, '/', proxyHeaders)).toContain('203.0.113.9 by https, 203.0.113.9');
  });

  it('reuses the connection to the app, also when Content-Length is 0', async () => {
    const { port, app } = await startServing((_incoming, response) => response.end());
    let connections = 0;
    app.server.on('connection', () => {
      connections += 1;
    });
    for (const headers of [{}, { 'Content-Length': '0' }, { 'Content-Length': '0' }]) {
      expect(await get(port, '/', headers)).toMatch(/^HTTP\/1.1 200 /);
    }
    expect(connections).toBe(1);
  });

  it('is routed by an absolute-form target instead of the Host header', async () => {
    const { port } = await startServing((incoming, response) => {
      response.end(`${incoming.headers.host}${incoming.url}`);
    });
    const response = await exchange(
      port,
      `GET http://${HOST}/x HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toContain(`${HOST}/x`);
  });

  it('relays 100 Continue from the app', async () => {
    const { port, app } = await startServing(() => {});
    app.server.on('checkContinue', async (incoming, response) => {
      response.writeContinue();
      response.end(await text(incoming));
    });
    const { outgoing, response } = send(port, {
      method: 'POST',
      headers: { Expect: '100-continue', 'Content-Length': '4' },
    });
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.end('body');
    expect(await text(await response)).toBe('body');
  });

  it('streams in both directions at the same time', async () => {
    const { port } = await startServing((incoming, response) => {
      incoming.pipe(response);
    });
    const { outgoing, response } = send(port, { method: 'POST' });
    outgoing.write('one');
    const incoming = await response;
    expect(String((await once(incoming, 'data'))[0])).toBe('one');
    outgoing.write('two');
    expect(String((await once(incoming, 'data'))[0])).toBe('two');
    outgoing.end();
    await once(incoming, 'end');
  });

  it('is aborted in the app when the client disconnects', async () => {
    const { port, app } = await startServing((_incoming, response) => {
      response.write('first');
    });
    const arrived = once(app.server, 'request');
    const { outgoing, response } = send(port, {});
    outgoing.end();
    await once(await response, 'data');
    const [, appResponse] = await arrived;
    outgoing.destroy();
    await once(appResponse, 'close');
    expect(appResponse.writableFinished).toBe(false);
  });

  it('is sent to another target when the first one is unreachable', async () => {
    const { ingress, port, app } = await startServing((_incoming, response) => {
      response.end('here');
    });
    const targets = [await unusedAddress(), app];
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets });
    for (let count = 0; count < 4; count += 1) expect(await get(port)).toContain('here');
  });

  it('is retried when the app closed the keep-alive connection', async () => {
    const { port, app } = await startServing((_incoming, response) => response.end('here'));
    await get(port);
    app.server.removeAllListeners('request');
    let isFirst = true;
    app.server.on('request', (incoming, response) => {
      if (isFirst) incoming.socket.destroy();
      else response.end('here again');
      isFirst = false;
    });
    expect(await get(port)).toContain('here again');
  });

  it('with a body is never sent twice', async () => {
    let requestCount = 0;
    const { port } = await startServing((incoming) => {
      requestCount += 1;
      incoming.socket.destroy();
    });
    const { outgoing, response } = send(port, { method: 'POST' });
    outgoing.end('order');
    expect((await response).statusCode).toBe(502);
    expect(requestCount).toBe(1);
  });

  it('is balanced over the targets by round-robin', async () => {
    const { ingress, port, app } = await startServing((_incoming, response) => response.end('one'));
    const other = await startApp((_incoming, response) => response.end('two'));
    ingress.routes.set('app-1', [HOST], { kind: 'live', targets: [app, other] });
    const responses = `${await get(port)}${await get(port)}`;
    expect(responses).toContain('one');
    expect(responses).toContain('two');
  });
});

describe('a relayed response', () => {
  it('has all headers of the app except hop-by-hop headers', async () => {
    const { port } = await startServing((_incoming, response) => {
      response.writeHead(201, 'Made', [
        ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
        ...['Keep-Alive', 'timeout=9', 'Connection', 'X-Own', 'X-Own', 'secret'],
      ]);
      response.end('done');
    });
    const response = await get(port);
    expect(response).toMatch(/^HTTP\/1.1 201 Made\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n/);
    expect(response).not.toMatch(/X-Own|timeout=9/);
  });

  it.each([204, 304])('of status %i has no body', async (status) => {
    const { port } = await startServing((_incoming, response) => {
      response.writeHead(status, { ETag: '"1"' }).end();
    });
    const response = await get(port);
    expect(response).toMatch(/ETag: "1"/);
    expect(response).toMatch(/\r\n\r\n$/);
    expect(response).not.toMatch(/chunked/i);
  });

  it('to HEAD keeps its length and has no body', async () => {
    const { port } = await startServing((_incoming, response) => {
      response.writeHead(200, { 'Content-Length': '1000' }).end();
    });
    const response = await exchange(
      port,
      `HEAD / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/Content-Length: 1000\r\n[\s\S]*\r\n\r\n$/);
  });

  it('of unknown length ends with the connection for an HTTP/1.0 client', async () => {
    const { port } = await startServing((_incoming, response) => {
      response.write('a');
      response.end('b');
    });
    const response = await exchange(port, `GET / HTTP/1.0\r\nHost: ${HOST}\r\n\r\n`);
    expect(response).toMatch(/\r\n\r\nab$/);
    expect(response).not.toMatch(/chunked/i);
  });

  it('sends its headers before its first byte', async () => {
    const { port } = await startServing((_incoming, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    });
    const { outgoing, response } = send(port, {});
    outgoing.end();
    expect((await response).headers['content-type']).toBe('text/event-stream');
    outgoing.destroy();
  });

  it('is aborted when the app aborts it', async () => {
    const { port } = await startServing((_incoming, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('part', () => response.destroy());
    });
    const { outgoing, response } = send(port, {});
    outgoing.end();
    await expect(text(await response)).rejects.toThrow('aborted');
  });

  it('with an invalid status becomes a 502', async () => {
    const { port, app } = await startServing(() => {});
    app.server.removeAllListeners('request');
    app.server.on('request', (incoming) => {
      incoming.socket.end('HTTP/1.1 042 Odd\r\nContent-Length: 0\r\n\r\n');
    });
    expect(await get(port)).toMatch(/^HTTP\/1.1 502 /);
  });

  it('that switches protocols without a request for it becomes a 502', async () => {
    const { port, app } = await startServing(() => {});
    app.server.removeAllListeners('request');
    app.server.on('request', (incoming) => {
      incoming.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: odd\r\n\r\n',
      );
    });
    expect(await get(port)).toMatch(/^HTTP\/1.1 502 /);
  });

  it('reaches a client that is still sending its body', async () => {
    const { port } = await startServing((_incoming, response) => {
      response.writeHead(413, { Connection: 'close' }).end('too much');
    });
    const { outgoing, response } = send(port, { method: 'POST' });
    outgoing.on('error', () => {});
    outgoing.write('x');
    const incoming = await response;
    expect(incoming.statusCode).toBe(413);
    expect(await text(incoming)).toBe('too much');
    outgoing.destroy();
  });
});
