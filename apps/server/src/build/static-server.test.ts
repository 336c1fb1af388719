import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStaticServer } from './static-server.ts';

let folder: string;
let server: Server;

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
  await symlink('../secret.txt', join(folder, 'site/link.txt'));
  server = createStaticServer(join(folder, 'site'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

describe('the static server', () => {
  it.each([
    ['/', 200, 'text/html; charset=utf-8', '<h1>Home</h1>'],
    ['/?query', 200, 'text/html; charset=utf-8', '<h1>Home</h1>'],
    ['/a%20b.js', 200, 'text/javascript; charset=utf-8', 'export {}'],
    ['/empty.css', 200, 'text/css; charset=utf-8', ''],
    ['/sub/', 200, 'text/html; charset=utf-8', 'Sub'],
    ['/missing', 404, 'text/plain; charset=utf-8', 'Not found\n'],
  ])('responds to %s with %i', async (path, status, type, body) => {
    const response = await get(path);
    expect(response).toMatchObject({ status, body });
    expect(response.headers['content-type']).toBe(type);
  });

  it('redirects from a folder to its index page', async () => {
    expect(await get('/sub')).toMatchObject({ status: 301, headers: { location: '/sub/' } });
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

function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = server.address() as AddressInfo;
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
