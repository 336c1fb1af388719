import type { RequestListener } from 'node:http';
import { type HttpServer, serveHttp } from '@longshore/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuardedFetch, type GuardedFetchDeps } from './guarded-fetch.ts';

const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A server that records the requests it receives. */
async function serve(listener: RequestListener = (_, response) => response.end('hello')) {
  const requests: { path: string; headers: Record<string, unknown> }[] = [];
  const server = await serveHttp((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers });
    listener(request, response);
  });
  servers.push(server);
  return { ...server, requests };
}

/** A fetch that resolves every host name to this machine and allows no private network. */
function guarded(deps: Partial<GuardedFetchDeps> = {}) {
  const resolve = async () => ['127.0.0.1'];
  return createGuardedFetch({ allowLocal: false, resolve, ...deps });
}

function withHost(url: string, host = 'git.example.com'): string {
  return url.replace('127.0.0.1', host);
}

describe('private addresses', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://０/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1:8443/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://0.0.0.0/',
    'http://93.184.216.34/',
    'https://ada:pw@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'not a url',
  ])('are refused: %s', async (url) => {
    await expect(guarded()(url)).rejects.toMatchObject({ reason: 'not-allowed' });
  });

  it.each([
    ['alone', ['127.0.0.1']],
    ['among public ones', ['93.184.216.34', '10.0.0.1']],
    ['as mapped IPv6 addresses', ['::ffff:192.168.0.1']],
    ['as the address of a cloud metadata service', ['169.254.169.254']],
  ])('are refused when a host name resolves to them, %s', async (_case, addresses) => {
    const fetch = guarded({ resolve: async () => addresses });
    await expect(fetch('https://git.example.com/')).rejects.toMatchObject({
      reason: 'not-allowed',
      message: 'git.example.com is in a private network',
    });
  });

  it('are refused when a host name resolves to one only the second time', async () => {
    const server = await serve();
    const resolutions = [['93.184.216.34'], ['127.0.0.1']];
    // Public, then private: with a second lookup between check and use, the server would be requested.
    const resolve = async () => resolutions.shift() ?? [];
    const fetch = guarded({ resolve, timeoutMs: 100 });
    await expect(fetch(withHost(server.url).replace('http', 'https'))).rejects.toThrow();
    expect(resolutions).toHaveLength(1);
    await expect(fetch(withHost(server.url).replace('http', 'https'))).rejects.toMatchObject({
      reason: 'not-allowed',
    });
    expect(server.requests).toEqual([]);
  });

  it('are allowed if the operator allows them or trusts the origin', async () => {
    const server = await serve();
    const url = withHost(server.url);
    expect(await (await guarded({ allowLocal: true })(url)).text()).toBe('hello');
    const { origin } = new URL(url);
    expect(await (await guarded({ trusted: [origin] })(`${url}/x`)).text()).toBe('hello');
    const others = [
      server.url,
      withHost(server.url, 'other.example.com'),
      'https://git.example.com',
    ];
    for (const other of others) {
      const response = guarded({ trusted: [origin] })(other);
      await expect(response).rejects.toMatchObject({ reason: 'not-allowed' });
    }
  });
});

it('connects to the checked address with the requested host name', async () => {
  const server = await serve();
  const fetch = guarded({ allowLocal: true });
  const response = await fetch(`${withHost(server.url)}/a%2Fb?c=d`, {
    headers: { accept: 'text/x' },
  });
  expect(response.status).toBe(200);
  expect(server.requests).toMatchObject([
    { path: '/a%2Fb?c=d', headers: { host: new URL(withHost(server.url)).host, accept: 'text/x' } },
  ]);
});

it('sends a body and returns error responses too', async () => {
  const server = await serve(async (request, response) => {
    response.writeHead(422, { 'x-first': ['1', '2'] });
    request.pipe(response);
  });
  const response = await guarded({ allowLocal: true })(server.url, { method: 'POST', body: 'né' });
  expect([response.status, response.headers.get('x-first'), await response.text()]).toEqual([
    422,
    '1, 2',
    'né',
  ]);
});

describe('redirects', () => {
  const headers = {
    Authorization: 'Bearer t',
    'PRIVATE-TOKEN': 't',
    cookie: 'c',
    accept: 'text/x',
  };

  async function startRedirecting(location: string, status = 302) {
    return await serve((request, response) => {
      if (request.url === '/') response.writeHead(status, { location }).end();
      else response.end('there');
    });
  }

  it('within an origin keep all headers', async () => {
    const server = await startRedirecting('/there');
    const response = await guarded({ allowLocal: true })(`${server.url}/`, { headers });
    expect(await response.text()).toBe('there');
    expect(server.requests[1]).toMatchObject({ headers: { authorization: 'Bearer t' } });
  });

  it('to another origin drop credentials', async () => {
    const target = await serve();
    const server = await startRedirecting(`${target.url}/there`, 307);
    await guarded({ allowLocal: true })(`${server.url}/`, { headers });
    expect(target.requests).toMatchObject([{ path: '/there', headers: { accept: 'text/x' } }]);
    const [{ headers: received } = { headers: {} }] = target.requests;
    for (const name of ['authorization', 'private-token', 'cookie']) {
      expect(received).not.toHaveProperty(name);
    }
  });

  it.each([301, 302, 303, 307, 308])('into the private network are refused: %i', async (status) => {
    const target = await serve();
    const server = await startRedirecting(target.url, status);
    const fetch = guarded({ trusted: [server.url] });
    await expect(fetch(`${server.url}/`)).rejects.toMatchObject({ reason: 'not-allowed' });
    expect(target.requests).toEqual([]);
  });

  it.each(['file:///etc/passwd', 'ftp://example.com/', 'javascript:1'])(
    'to %s are refused',
    async (location) => {
      const server = await startRedirecting(location);
      const response = guarded({ allowLocal: true })(`${server.url}/`);
      await expect(response).rejects.toMatchObject({ reason: 'not-allowed' });
    },
  );

  it.each(['POST', 'DELETE'])('are not followed by %s', async (method) => {
    const server = await startRedirecting('/there', 307);
    const response = guarded({ allowLocal: true })(`${server.url}/`, { method, body: 'secret' });
    await expect(response).rejects.toMatchObject({ reason: 'redirected' });
    expect(server.requests).toHaveLength(1);
  });

  it('in a loop are refused', async () => {
    const server = await startRedirecting('/');
    const response = guarded({ allowLocal: true })(`${server.url}/`);
    await expect(response).rejects.toMatchObject({ reason: 'redirected' });
  });
});

describe('a misbehaving host', () => {
  it('cannot send more than the size limit', async () => {
    const server = await serve((_, response) => {
      const writeUntilFull = () => {
        while (response.write('x'.repeat(10_000)));
      };
      response.on('drain', writeUntilFull);
      writeUntilFull();
    });
    const response = guarded({ allowLocal: true, maxBytes: 100_000 })(server.url);
    await expect(response).rejects.toMatchObject({ reason: 'too-large' });
  });

  it.each<[string, RequestListener]>([
    ['never responds', () => {}],
    ['never ends its response', (_, response) => void response.write('x')],
  ])('that %s times out', async (_case, listener) => {
    const server = await serve(listener);
    const response = guarded({ allowLocal: true, timeoutMs: 100 })(server.url);
    await expect(response).rejects.toMatchObject({ reason: 'too-slow' });
  });

  it('that closes the connection is unreachable', async () => {
    const server = await serve((request) => request.socket.destroy());
    const response = guarded({ allowLocal: true })(server.url);
    await expect(response).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it.each([
    ['has no address', async () => []],
    [
      'cannot be resolved',
      async () => {
        throw new Error('ENOTFOUND');
      },
    ],
  ])('that %s is unreachable', async (_case, resolve) => {
    const response = guarded({ resolve })('https://git.example.com/');
    await expect(response).rejects.toMatchObject({ reason: 'unreachable' });
  });
});

it('aborts with the reason of its signal', async () => {
  const server = await serve(() => {});
  const controller = new AbortController();
  const response = guarded({ allowLocal: true })(server.url, { signal: controller.signal });
  controller.abort(new Error('aborted by the test'));
  await expect(response).rejects.toThrow('aborted by the test');
});

it('reuses connections', async () => {
  const ports = new Set<number | undefined>();
  const server = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('x');
  });
  const fetch = guarded({ allowLocal: true });
  for (const _ of [1, 2, 3]) await fetch(server.url);
  expect(ports.size).toBe(1);
});
