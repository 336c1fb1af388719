import type { RequestListener } from 'node:http';
import { type HttpServer, serveHttp } from '@longshore/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuardedFetch, type GuardedFetchDeps } from './guarded-fetch.ts';

const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A server that notes who asked, and for what. */
async function serve(listener: RequestListener = (_, response) => response.end('hello')) {
  const asked: { path: string; headers: Record<string, unknown> }[] = [];
  const server = await serveHttp((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    listener(request, response);
  });
  servers.push(server);
  return { ...server, asked };
}

/** Names lead where they are said to, and nothing of the private network is allowed. */
function guarded(deps: Partial<GuardedFetchDeps> = {}) {
  const resolve = async () => ['127.0.0.1'];
  return createGuardedFetch({ allowLocal: false, resolve, ...deps });
}

function named(url: string, host = 'git.example.com'): string {
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
    'not an address',
  ])('are refused: %s', async (url) => {
    await expect(guarded()(url)).rejects.toMatchObject({ reason: 'not-allowed' });
  });

  it.each([
    ['alone', ['127.0.0.1']],
    ['among public ones', ['93.184.216.34', '10.0.0.1']],
    ['of version 6', ['::ffff:192.168.0.1']],
    ['of the machine that hosts us', ['169.254.169.254']],
  ])('are refused behind a name, %s', async (_how, addresses) => {
    const fetch = guarded({ resolve: async () => addresses });
    await expect(fetch('https://git.example.com/')).rejects.toMatchObject({
      reason: 'not-allowed',
      message: 'git.example.com is in a private network',
    });
  });

  it('are refused when a name leads there only the second time', async () => {
    const server = await serve();
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    // Public, then private; were the name asked again between check and use, our server would be called.
    const resolve = async () => answers.shift() ?? [];
    const fetch = guarded({ resolve, deadlineMs: 100 });
    await expect(fetch(named(server.url).replace('http', 'https'))).rejects.toThrow();
    expect(answers).toHaveLength(1);
    await expect(fetch(named(server.url).replace('http', 'https'))).rejects.toMatchObject({
      reason: 'not-allowed',
    });
    expect(server.asked).toEqual([]);
  });

  it('are called where the operator allows it, or named the place', async () => {
    const server = await serve();
    const url = named(server.url);
    expect(await (await guarded({ allowLocal: true })(url)).text()).toBe('hello');
    const { origin } = new URL(url);
    expect(await (await guarded({ trusted: [origin] })(`${url}/x`)).text()).toBe('hello');
    const others = [server.url, named(server.url, 'other.example.com'), 'https://git.example.com'];
    for (const other of others) {
      const asked = guarded({ trusted: [origin] })(other);
      await expect(asked).rejects.toMatchObject({ reason: 'not-allowed' });
    }
  });
});

it('connects to the address that was checked, under the name that was asked for', async () => {
  const server = await serve();
  const fetch = guarded({ allowLocal: true });
  const response = await fetch(`${named(server.url)}/a%2Fb?c=d`, { headers: { accept: 'text/x' } });
  expect(response.status).toBe(200);
  expect(server.asked).toMatchObject([
    { path: '/a%2Fb?c=d', headers: { host: new URL(named(server.url)).host, accept: 'text/x' } },
  ]);
});

it('sends a body, and hands over whatever is answered', async () => {
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

  async function redirecting(location: string, status = 302) {
    return await serve((request, response) => {
      if (request.url === '/') response.writeHead(status, { location }).end();
      else response.end('there');
    });
  }

  it('within an origin carry everything', async () => {
    const server = await redirecting('/there');
    const response = await guarded({ allowLocal: true })(`${server.url}/`, { headers });
    expect(await response.text()).toBe('there');
    expect(server.asked[1]).toMatchObject({ headers: { authorization: 'Bearer t' } });
  });

  it('to another origin carry nothing that tells who asks', async () => {
    const target = await serve();
    const server = await redirecting(`${target.url}/there`, 307);
    await guarded({ allowLocal: true })(`${server.url}/`, { headers });
    expect(target.asked).toMatchObject([{ path: '/there', headers: { accept: 'text/x' } }]);
    const [{ headers: carried } = { headers: {} }] = target.asked;
    for (const name of ['authorization', 'private-token', 'cookie']) {
      expect(carried).not.toHaveProperty(name);
    }
  });

  it.each([301, 302, 303, 307, 308])('into the private network are refused: %i', async (status) => {
    const target = await serve();
    const server = await redirecting(target.url, status);
    const fetch = guarded({ trusted: [server.url] });
    await expect(fetch(`${server.url}/`)).rejects.toMatchObject({ reason: 'not-allowed' });
    expect(target.asked).toEqual([]);
  });

  it.each(['file:///etc/passwd', 'ftp://example.com/', 'javascript:1'])(
    'to %s are refused',
    async (location) => {
      const server = await redirecting(location);
      const asked = guarded({ allowLocal: true })(`${server.url}/`);
      await expect(asked).rejects.toMatchObject({ reason: 'not-allowed' });
    },
  );

  it.each(['POST', 'DELETE'])('are not followed by %s', async (method) => {
    const server = await redirecting('/there', 307);
    const asked = guarded({ allowLocal: true })(`${server.url}/`, { method, body: 'secret' });
    await expect(asked).rejects.toMatchObject({ reason: 'redirected' });
    expect(server.asked).toHaveLength(1);
  });

  it('in a circle end', async () => {
    const server = await redirecting('/');
    const asked = guarded({ allowLocal: true })(`${server.url}/`);
    await expect(asked).rejects.toMatchObject({ reason: 'redirected' });
  });
});

describe('a host that misbehaves', () => {
  it('does not fill the memory', async () => {
    const server = await serve((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    const asked = guarded({ allowLocal: true, maxBytes: 100_000 })(server.url);
    await expect(asked).rejects.toMatchObject({ reason: 'too-large' });
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => {}],
    ['never ends its answer', (_, response) => void response.write('x')],
  ])('and %s does not hold us', async (_how, listener) => {
    const server = await serve(listener);
    const asked = guarded({ allowLocal: true, deadlineMs: 100 })(server.url);
    await expect(asked).rejects.toMatchObject({ reason: 'too-slow' });
  });

  it('and hangs up is not reached', async () => {
    const server = await serve((request) => request.socket.destroy());
    const asked = guarded({ allowLocal: true })(server.url);
    await expect(asked).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it.each([
    ['has no address', async () => []],
    [
      'nobody knows',
      async () => {
        throw new Error('ENOTFOUND');
      },
    ],
  ])('and %s is not reached', async (_how, resolve) => {
    const asked = guarded({ resolve })('https://git.example.com/');
    await expect(asked).rejects.toMatchObject({ reason: 'unreachable' });
  });
});

it('stops when it is told to, and says why it was told', async () => {
  const server = await serve(() => {});
  const stopping = new AbortController();
  const asked = guarded({ allowLocal: true })(server.url, { signal: stopping.signal });
  stopping.abort(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
});

it('uses a connection again', async () => {
  const ports = new Set<number | undefined>();
  const server = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('x');
  });
  const fetch = guarded({ allowLocal: true });
  for (const _ of [1, 2, 3]) await fetch(server.url);
  expect(ports.size).toBe(1);
});
