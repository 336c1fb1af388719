import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Session } from '@longshore/contract';
import { createSimulatedClock } from '@longshore/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_SECRET, type Backend, bearer, startBackend } from '../../test/backend.ts';

const TIMEOUT_MS = 5_000;
/** A thread may take longer to start on a busy machine. */
const clock = createSimulatedClock();
let backend: Backend;
let ada: Session;
beforeAll(async () => {
  backend = await startBackend({ functions: { timeoutMs: TIMEOUT_MS, memoryMb: 32, clock } });
  ada = await backend.signUp();
});
afterEach(async () => {
  // Ends calls whose response a test did not read.
  await clock.advance(TIMEOUT_MS);
  backend.functionErrors.splice(0);
  backend.functionLines.splice(0);
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function write(name: string, source: string): Promise<void> {
  const path = join(backend.folder, 'functions', name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, source);
}

const call = (path: string, init: RequestInit = {}) =>
  Promise.resolve(backend.app.request(`/v1/functions${path}`, { method: 'POST', ...init }));

const problem = async (response: Response) => {
  const { error } = (await response.json()) as { error: string };
  return { status: response.status, error };
};

describe('a function', () => {
  it('gets the request and responds to it', async () => {
    await write(
      'add.ts',
      `export default async (request: Request): Promise<Response> => {
        const { a, b } = (await request.json()) as { a: number; b: number };
        return Response.json({ sum: a + b }, { status: 201, headers: { 'x-sum': 'yes' } });
      };`,
    );
    const response = await call('/add', { body: '{"a":1,"b":2}' });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-sum')).toBe('yes');
    expect(response.headers.get('content-security-policy')).toMatch("default-src 'self'");
    expect(await response.json()).toEqual({ sum: 3 });
  });

  it.each([
    ['deep/hello.js', '/deep/hello'],
    ['deep/index.mjs', '/deep'],
    ['index.mjs', '/'],
  ])('%s is served at %s', async (file, path) => {
    await write(file, `export default () => new Response('${file}')`);
    expect(await (await call(path)).text()).toBe(file);
    const other = await backend.app.request(`/functions/v1${path}`, { method: 'POST' });
    expect(await other.text()).toBe(file);
  });

  it('gets headers about the client only from a trusted proxy', async () => {
    const source = 'export default (request) => Response.json([...request.headers])';
    await write('headers.js', source);
    const headers = { 'true-client-ip': '6.6.6.6', 'x-forwarded-for': '6.6.6.6', 'x-own': '1' };
    expect(await (await call('/headers', { headers })).json()).toEqual([['x-own', '1']]);

    const proxied = await startBackend({ trustedProxies: ['192.0.2.1'] });
    await mkdir(join(proxied.folder, 'functions'), { recursive: true });
    await writeFile(join(proxied.folder, 'functions', 'headers.js'), source);
    const incoming = { headers, socket: { remoteAddress: '192.0.2.1' } };
    const post = { method: 'POST', headers };
    const response = await proxied.app.request('/v1/functions/headers', post, { incoming });
    expect(await response.json()).toEqual(Object.entries(headers));
    await proxied.stop();
  });

  it('receives the user id and roles of its caller', async () => {
    await write('who.js', 'export default (request, context) => Response.json(context)');
    expect(await (await call('/who')).json()).toEqual({ role: 'public', roles: ['public'] });
    expect(await (await call('/who', { headers: bearer(ada) })).json()).toEqual({
      userId: ada.user.id,
      role: 'user',
      roles: ['user', 'me'],
    });
    const asMe = await call('/who', { headers: { ...bearer(ada), 'x-hasura-role': 'me' } });
    expect(await asMe.json()).toMatchObject({ role: 'me' });
    const asAdmin = await call('/who', { headers: { 'x-hasura-admin-secret': ADMIN_SECRET } });
    expect(await asAdmin.json()).toEqual({ role: 'admin', roles: ['admin'] });
  });

  it.each([
    ['an invalid token', { authorization: 'Bearer x' }, 401, 'unauthorized'],
    ['a wrong admin secret', { 'x-hasura-admin-secret': 'guess' }, 401, 'unauthorized'],
    ['a role the caller does not have', { 'x-hasura-role': 'admin' }, 403, 'role-not-allowed'],
  ])('is not called with %s', async (_, headers, status, error) => {
    await write('who.js', 'export default (request, context) => Response.json(context)');
    expect(
      await problem(await call('/who', { headers: headers as Record<string, string> })),
    ).toEqual({ status, error });
  });

  it('supports the methods it exports, by default POST', async () => {
    await write(
      'get.js',
      `export const methods = ['get']; export default (request) => new Response(request.method)`,
    );
    await write('post.js', 'export default () => new Response()');
    expect(await (await call('/get', { method: 'GET' })).text()).toBe('GET');
    const head = await call('/get', { method: 'HEAD' });
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: '' });
    for (const [path, method] of [
      ['/get', 'POST'],
      ['/post', 'GET'],
      ['/post', 'DELETE'],
    ] as const) {
      expect(await problem(await call(path, { method }))).toEqual({
        status: 405,
        error: 'method-not-allowed',
      });
    }
  });

  it('can stream its response', async () => {
    await write(
      'bits.js',
      `export default () => new Response(new ReadableStream({
        async start(controller) {
          for (const word of ['one ', 'two ', 'three']) controller.enqueue(new TextEncoder().encode(word));
          controller.close();
        },
      }))`,
    );
    expect(await (await call('/bits')).text()).toBe('one two three');
  });

  it('can set several cookies, but no connection headers', async () => {
    await write(
      'cookies.js',
      `export default () => new Response('ok', { headers: [
        ['set-cookie', 'a=1'], ['set-cookie', 'b=2'], ['content-length', '999'], ['connection', 'close'],
      ] })`,
    );
    const { headers } = await call('/cookies');
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect([headers.get('connection'), headers.get('content-length')]).toEqual([null, null]);
  });

  it('has no environment variables of the server, and its output is logged', async () => {
    await write(
      'env.js',
      `export default () => { console.log('from inside'); return Response.json(process.env); }`,
    );
    expect(await (await call('/env')).json()).toEqual({ GREETING: 'ahoy' });
    await expect.poll(() => backend.functionLines).toContain('from inside');
  });
});

describe('no function', () => {
  it.each([
    '/missing',
    '/../keys/seal',
    '/..%2fkeys',
    '/.hidden',
    '/_shared',
    '/add.ts',
    '/outside',
  ])('is found at %s', async (path) => {
    await write('_shared.js', 'export default () => new Response()');
    await write('.hidden.js', 'export default () => new Response()');
    const secret = join(backend.folder, 'secret.js');
    await writeFile(secret, 'export default () => new Response()');
    const link = join(backend.folder, 'functions', 'outside.js');
    await rm(link, { force: true });
    await symlink(secret, link);
    const response = await call(path);
    expect(response.status).toBe(404);
  });
});

describe('a changed function', () => {
  it('is reloaded at the next call', async () => {
    await write('changing.js', `export default () => new Response('old')`);
    expect(await (await call('/changing')).text()).toBe('old');
    await write('changing.js', `export default () => new Response('new!')`);
    expect(await (await call('/changing')).text()).toBe('new!');
  });

  it('is reloaded when an imported file changed', async () => {
    await write('_lib/word.ts', `export const word: string = 'old';`);
    await write(
      'parts.ts',
      `import { word } from './_lib/word.ts'; export default () => new Response(word);`,
    );
    expect(await (await call('/parts')).text()).toBe('old');
    await write('_lib/word.ts', `export const word: string = 'newer';`);
    expect(await (await call('/parts')).text()).toBe('newer');
  });

  it('is not found after its file was deleted', async () => {
    await write('deleted.js', 'export default () => new Response()');
    expect((await call('/deleted')).status).toBe(200);
    await rm(join(backend.folder, 'functions', 'deleted.js'));
    expect((await call('/deleted')).status).toBe(404);
  });

  it('finishes running calls on the old thread, which then ends', async () => {
    const source = (word: string) => `export default () => new Response('${word}')`;
    const gate = join(backend.folder, 'gate');
    await write(
      'slow.js',
      `import { existsSync } from 'node:fs';
      import { setTimeout as wait } from 'node:timers/promises';
      export default async () => {
        console.log('running');
        while (!existsSync('${gate}')) await wait(5);
        return new Response('first');
      }`,
    );
    const first = call('/slow');
    await expect.poll(() => backend.functionLines).toContain('running');
    await write('slow.js', source('second'));
    expect(await (await call('/slow')).text()).toBe('second');
    await writeFile(gate, '');
    expect(await (await first).text()).toBe('first');
    const before = backend.functions.host.threadCount;
    for (let round = 0; round < 5; round += 1) {
      await write('slow.js', source(`round ${round}`));
      expect(await (await call('/slow')).text()).toBe(`round ${round}`);
    }
    await expect.poll(() => backend.functions.host.threadCount).toBeLessThanOrEqual(before);
  });
});

describe('a function that', () => {
  it.each([
    ['throws', `export default () => { throw new Error('inner secret'); }`, 500, 'function-failed'],
    ['throws a non-error', `export default async () => { throw 'word'; }`, 500, 'function-failed'],
    ['returns no Response', 'export default () => ({ ok: true })', 500, 'function-failed'],
    ['has a syntax error', 'export default (', 500, 'function-unusable'],
    ['exports no function', 'export const a = 1', 500, 'function-unusable'],
    ['exits', 'export default () => process.exit(0)', 500, 'function-stopped'],
    ['exits while it loads', 'process.exit(1)', 500, 'function-stopped'],
    [
      'throws later',
      `export default () => new Promise(() => { setImmediate(() => { throw new Error('late'); }); })`,
      500,
      'function-stopped',
    ],
    [
      'takes too much memory',
      'export default () => { const all = []; for (;;) all.push(new Array(10_000).fill(all.length)); }',
      500,
      'function-stopped',
    ],
  ])('%s does not affect others', async (name, source, status, error) => {
    const file = `bad-${name.replaceAll(' ', '-')}`;
    await write(`${file}.js`, source);
    await write('good.js', `export default () => new Response('fine')`);
    const bad = call(`/${file}`);
    expect(await (await call('/good')).text()).toBe('fine');
    const response = await bad;
    expect(response.headers.get('content-type')).toMatch('application/json');
    const text = await response.clone().text();
    expect(text).not.toContain('inner secret');
    expect(await problem(response)).toEqual({ status, error });
    expect(await (await call('/good')).text()).toBe('fine');
  });

  it.each([
    ['never responds', 'export default () => new Promise(() => {})', 1],
    ['never stops', 'export default () => { for (;;); }', 1],
    ['never loads', 'for (;;);', 0],
  ])('%s times out and does not affect others', async (name, source, calls) => {
    const file = `overdue-${name.replaceAll(' ', '-')}`;
    await write(`${file}.js`, source);
    await write('good.js', `export default () => new Response('fine')`);
    const overdue = call(`/${file}`);
    expect(await (await call('/good')).text()).toBe('fine');
    await expect.poll(() => backend.functions.host.callCount).toBe(calls);
    await clock.advance(TIMEOUT_MS);
    expect(await problem(await overdue)).toEqual({ status: 504, error: 'function-overdue' });
    expect(await (await call('/good')).text()).toBe('fine');
  });

  it('fails is logged with its error', async () => {
    await write('reason.js', `export default () => { throw new RangeError('what happened'); }`);
    await call('/reason');
    expect(backend.functionErrors).toMatchObject([
      { name: 'RangeError', message: 'what happened' },
    ]);
    expect(backend.functionErrors[0]?.stack).toContain('reason.js');
  });

  it('loops for one caller serves the next callers on another thread', async () => {
    await write(
      'sometimes.js',
      `export default async (request) => {
        if ((await request.text()) === 'loop') for (;;);
        return new Response('fine');
      }`,
    );
    expect(await (await call('/sometimes', { body: 'warm up' })).text()).toBe('fine');
    const looping = call('/sometimes', { body: 'loop' });
    await expect.poll(() => backend.functions.host.callCount).toBe(1);
    await clock.advance(1);
    const next = call('/sometimes', { body: 'quick' });
    await expect.poll(() => backend.functions.host.callCount).toBe(2);
    await clock.advance(TIMEOUT_MS - 1);
    expect((await looping).status).toBe(504);
    expect(await (await next).text()).toBe('fine');
  });

  it('exits while streaming its response aborts it', async () => {
    await write(
      'half.js',
      `export default () => new Response(new ReadableStream({
        start(controller) { controller.enqueue(new TextEncoder().encode('half')); },
        pull() { process.exit(1); },
      }, { highWaterMark: 0 }))`,
    );
    const response = await call('/half');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('stopped');
  });
});

it('aborts the signal of a function when its caller disconnects', async () => {
  await write(
    'waiting.js',
    `export default (request) => new Promise((resolve) => {
      request.signal.addEventListener('abort', () => { console.log('caller disconnected'); resolve(new Response()); });
      console.log('waiting');
    })`,
  );
  const caller = new AbortController();
  const response = call('/waiting', { signal: caller.signal }).catch(() => undefined);
  await expect.poll(() => backend.functionLines).toContain('waiting');
  caller.abort();
  await expect.poll(() => backend.functionLines).toContain('caller disconnected');
  await response;
  await expect.poll(() => backend.functions.host.callCount).toBe(0);
});

it('rejects a body that is too large', async () => {
  await write('big.js', 'export default () => new Response()');
  const response = await call('/big', { body: 'x'.repeat(1_000_001) });
  expect(await problem(response)).toEqual({ status: 413, error: 'payload-too-large' });
});

it('serves many concurrent calls', async () => {
  await write('echo.js', 'export default async (request) => new Response(await request.text())');
  const words = Array.from({ length: 90 }, (_, index) => `word ${index}`);
  const responses = await Promise.all(
    words.map(async (word) => (await call('/echo', { body: word })).text()),
  );
  expect(responses).toEqual(words);
});

describe('more functions than threads', () => {
  let crowdedBackend: Backend;
  beforeAll(async () => {
    // Many threads at once may take longer to start than the default timeout.
    crowdedBackend = await startBackend({ functions: { timeoutMs: 30_000, memoryMb: 32 } });
  });
  afterAll(() => crowdedBackend.stop());

  it('never stop a worker that is loading', async () => {
    const names = Array.from({ length: 16 }, (_, at) => `crowd-${at}`);
    const folder = join(crowdedBackend.folder, 'functions');
    await mkdir(folder, { recursive: true });
    for (const name of names) {
      await writeFile(join(folder, `${name}.js`), `export default () => new Response('here')`);
    }
    const responses = await Promise.all(
      names.map((name) => crowdedBackend.app.request(`/v1/functions/${name}`, { method: 'POST' })),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });
});

describe('a folder that a cluster mounts from a ConfigMap', () => {
  const folder = () => join(backend.folder, 'functions', 'mounted');
  let version = 0;

  /** As the kubelet does: files are links to `..data`, which is a link that is replaced when all new files exist. */
  async function mount(files: Record<string, string>): Promise<void> {
    const former = `..${version}`;
    version += 1;
    await mkdir(join(folder(), `..${version}`), { recursive: true });
    for (const [name, source] of Object.entries(files))
      await writeFile(join(folder(), `..${version}`, name), source);
    await symlink(`..${version}`, join(folder(), '..data_tmp'));
    await rename(join(folder(), '..data_tmp'), join(folder(), '..data'));
    for (const name of Object.keys(files))
      await symlink(join('..data', name), join(folder(), name)).catch(() => {});
    await rm(join(folder(), former), { recursive: true, force: true });
  }

  const greeting = (word: string) => ({
    '_words.js': `export const word = '${word}'`,
    'greet.js': `import { word } from './_words.js'; export default () => new Response(word)`,
  });

  it('is served, with files that functions share', async () => {
    await mount(greeting('ahoy'));
    expect(await (await call('/mounted/greet')).text()).toBe('ahoy');
    expect((await call('/mounted/_words')).status).toBe(404);
    expect((await call('/mounted/..data/greet')).status).toBe(404);
  });

  it('is read again after each update', async () => {
    for (const word of ['one', 'two', 'three']) {
      await mount(greeting(word));
      expect(await (await call('/mounted/greet')).text()).toBe(word);
    }
  });

  it('responds to calls during an update', async () => {
    await mount(greeting('before'));
    for (let round = 0; round < 5; round += 1) {
      const calls = Array.from({ length: 4 }, async () => (await call('/mounted/greet')).text());
      await mount(greeting(`after ${round}`));
      for (const text of await Promise.all(calls)) expect(text).toMatch(/^(?:before|after \d)$/);
    }
  });
});
