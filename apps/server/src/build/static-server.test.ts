import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SINGLE_PAGE_OPTION } from './build-plan.ts';
import { cacheControl, createStaticServer, parseRange } from './static-server.ts';

let folder: string;
let server: Server;
let singlePageServer: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-site-'));
  await mkdir(join(folder, 'site/sub'), { recursive: true });
  await mkdir(join(folder, 'site/.git'));
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'site/.git/config'), 'secret');
  await writeFile(join(folder, 'site/.env'), 'secret');
  await writeFile(join(folder, 'site/index.html'), '<h1>Home</h1>');
  await writeFile(join(folder, 'site/empty.css'), '');
  await writeFile(join(folder, 'site/a b.js'), 'export {}');
  await writeFile(join(folder, 'site/sub/index.html'), 'Sub');
  await writeFile(join(folder, 'site/about.html'), 'About');
  await mkdir(join(folder, 'site/empty'));
  await mkdir(join(folder, 'with-404'));
  await writeFile(join(folder, 'with-404/404.html'), 'No such page');
  await symlink('../secret.txt', join(folder, 'site/link.txt'));
  server = createStaticServer(join(folder, 'site'));
  singlePageServer = createStaticServer(join(folder, 'site'), { isSinglePage: true });
  for (const started of [server, singlePageServer]) {
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  }
});
afterAll(async () => {
  for (const started of [server, singlePageServer]) {
    await new Promise((resolve) => started.close(resolve));
  }
  await rm(folder, { recursive: true, force: true });
});

describe('the static server', () => {
  it.each([
    ['/', 200, 'text/html; charset=utf-8', '<h1>Home</h1>'],
    ['/?query', 200, 'text/html; charset=utf-8', '<h1>Home</h1>'],
    ['/a%20b.js', 200, 'text/javascript; charset=utf-8', 'export {}'],
    ['/empty.css', 200, 'text/css; charset=utf-8', ''],
    ['/sub/', 200, 'text/html; charset=utf-8', 'Sub'],
    ['/about', 200, 'text/html; charset=utf-8', 'About'],
    ['/about/', 200, 'text/html; charset=utf-8', 'About'],
    ['/empty', 404, 'text/plain; charset=utf-8', 'Not found\n'],
    ['/missing', 404, 'text/plain; charset=utf-8', 'Not found\n'],
  ])('responds to %s with %i', async (path, status, type, body) => {
    const response = await get(path);
    expect(response).toMatchObject({ status, body });
    expect(response.headers['content-type']).toBe(type);
  });

  it('redirects from a folder to its index page, with the query', async () => {
    expect(await get('/sub')).toMatchObject({ status: 301, headers: { location: '/sub/' } });
    expect(await get('/sub?a=1')).toMatchObject({ headers: { location: '/sub/?a=1' } });
  });

  it('serves a site that was built for a path at this path', async () => {
    await mkdir(join(folder, 'based/_astro'), { recursive: true });
    await mkdir(join(folder, 'based/guide'));
    await writeFile(join(folder, 'based/index.html'), '<script src="/docs/v2/_astro/a.js">');
    await writeFile(join(folder, 'based/guide/index.html'), 'Guide');
    await writeFile(join(folder, 'based/_astro/a.js'), 'run()');
    const based = createStaticServer(join(folder, 'based'), { isSinglePage: true });
    await new Promise<void>((resolve) => based.listen(0, '127.0.0.1', resolve));
    const visit = (path: string) => get(path, {}, 'GET', based);
    expect(await visit('/?a=1')).toMatchObject({
      status: 302,
      headers: { location: '/docs/v2/?a=1' },
    });
    expect(await visit('/docs/v2')).toMatchObject({ headers: { location: '/docs/v2/' } });
    expect(await visit('/docs/v2/')).toMatchObject({ status: 200 });
    expect(await visit('/docs/v2/orders/7')).toMatchObject({ status: 200 });
    expect(await visit('/docs/v2/guide')).toMatchObject({
      status: 301,
      headers: { location: '/docs/v2/guide/' },
    });
    expect(await visit('/docs/v2/_astro/a.js')).toMatchObject({
      body: 'run()',
      headers: { 'cache-control': 'public, max-age=31536000, immutable' },
    });
    expect(await visit('/_astro/a.js')).toMatchObject({ status: 200 });
    await new Promise((resolve) => based.close(resolve));
  });

  it('responds to unknown paths with the page of the site for them', async () => {
    const own = createStaticServer(join(folder, 'with-404'));
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
    expect(await get('/missing', {}, 'GET', own)).toMatchObject({
      status: 404,
      body: 'No such page',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
    await new Promise((resolve) => own.close(resolve));
  });

  it.each([
    ['/orders/7', 200, '<h1>Home</h1>'],
    ['/about', 200, 'About'],
    ['/assets/old.js', 404, 'Not found\n'],
    ['/.env', 404, 'Not found\n'],
  ])('responds to %s of a single page with %i', async (path, status, body) => {
    expect(await get(path, {}, 'GET', singlePageServer)).toMatchObject({ status, body });
  });

  it('responds with a part of a file', async () => {
    expect(await get('/', { Range: 'bytes=4-7' })).toMatchObject({
      status: 206,
      body: 'Home',
      headers: { 'content-range': 'bytes 4-7/13', 'content-length': '4' },
    });
    expect(await get('/', { Range: 'bytes=20-' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */13' },
    });
  });

  it('responds with the whole file when it is not the one of which a part is known', async () => {
    const headers = { Range: 'bytes=4-7', 'If-Range': '"other"' };
    expect(await get('/', headers)).toMatchObject({ status: 200, body: '<h1>Home</h1>' });
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/sub/../../secret.txt',
    '/..\\secret.txt',
    '/link.txt',
    '/.git/config',
    '/%2egit/config',
    '/.env',
    '//evil.example/',
    '/%00',
    '/%',
    '*',
  ])('does not serve %s', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.body).not.toContain('secret');
  });

  it('responds 304 for a matching ETag', async () => {
    const { headers } = await get('/');
    const etag = String(headers.etag);
    expect(await get('/', { 'If-None-Match': etag })).toMatchObject({ status: 304, body: '' });
  });

  it('responds to HEAD without a body and rejects other methods', async () => {
    expect(await get('/', {}, 'HEAD')).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': '13' },
    });
    expect((await get('/', {}, 'POST')).status).toBe(405);
  });
});

it('has the option that the engines pass', () => {
  const program = fileURLToPath(import.meta.resolve('./static-server.ts'));
  expect(readFileSync(program, 'utf8')).toContain(`'${SINGLE_PAGE_OPTION}'`);
});

it('is not imported by a module of the server, whose bundle would run it', () => {
  const sources = fileURLToPath(import.meta.resolve('..'));
  const importing = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) =>
      /from '[^']*static-server\.ts'/.test(readFileSync(join(sources, path), 'utf8')),
    );
  expect(importing).toEqual([]);
});

describe('parseRange', () => {
  it.each([
    [undefined, 10, undefined],
    ['bytes=0-3', 10, { start: 0, end: 3 }],
    ['bytes=5-', 10, { start: 5, end: 9 }],
    ['bytes=-4', 10, { start: 6, end: 9 }],
    ['bytes=-40', 10, { start: 0, end: 9 }],
    ['bytes=0-99', 10, { start: 0, end: 9 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=5-3', 10, undefined],
    ['bytes=0-1,3-4', 10, undefined],
    ['lines=0-1', 10, undefined],
    ['bytes=-', 10, undefined],
  ])('parses %s of %i bytes', (header, size, range) => {
    expect(parseRange(header, size)).toEqual(range);
  });
});

describe('cacheControl', () => {
  it.each([
    '/_next/static/chunks/main.js',
    '/_astro/page.CK2.css',
    '/_nuxt/entry.js',
    '/assets/index-DgH3kQ2z.js',
    '/static/js/main.3f2a9c1d.js',
    '/static/js/2.3f2a9c1d.chunk.js',
    '/logo.0123456789abcdef.svg',
  ])('lets browsers keep %s, whose name changes with its content', (path) => {
    expect(cacheControl(path)).toContain('immutable');
  });

  it.each([
    '/',
    '/about',
    '/app.js',
    '/assets/my-portrait.jpg',
    '/images/my-portrait.jpg',
    '/bootstrap-5.3.3.min.js',
    '/_nuxt/builds/latest.json',
    '/report-20240101.html',
    '/feedface.js',
  ])('lets browsers revalidate %s', (path) => {
    expect(cacheControl(path)).toBe('no-cache');
  });
});

function get(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  target: Server = server,
) {
  const { port } = target.address() as AddressInfo;
  type ReceivedResponse = {
    status: number | undefined;
    headers: Record<string, unknown>;
    body: string;
  };
  return new Promise<ReceivedResponse>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, body });
      });
    })
      .on('error', reject)
      .end();
  });
}
