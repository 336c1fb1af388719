import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN_SECRET, type Backend, startBackend } from '../../test/backend.ts';
import { type FileMetadata, fileClient, filesOnDisk } from '../../test/storage/file-client.ts';

let backend: Backend;
let ada: Session;
let client: ReturnType<typeof fileClient>;
let file: FileMetadata;

beforeAll(async () => {
  backend = await startBackend();
});
beforeEach(async () => {
  ada = await backend.signUp();
  client = fileClient(backend, ada);
  file = await client.upload('0123456789', 'digits.txt');
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  client.request(`/files/${file.id}`, { method, headers });

describe('a download', () => {
  it('has the bytes and headers of the file', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      'content-disposition': 'inline; filename="digits.txt"',
      etag: file.etag,
      'last-modified': expect.stringMatching(/ GMT$/),
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=3600',
      vary: expect.stringContaining('Authorization'),
      'surrogate-key': file.id,
      'surrogate-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(await response.text()).toBe('0123456789');
  });

  it('ignores image parameters', async () => {
    const response = await client.request(`/files/${file.id}?w=10&h=20&q=80&b=2`);
    expect(await response.text()).toBe('0123456789');
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
  ])('may be a range: %s', async (range, status, text, contentRange) => {
    const response = await get({ range });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(await response.text()).toBe(text);
  });

  it('is the whole file if If-Range does not match', async () => {
    const response = await get({ range: 'bytes=2-4', 'if-range': '"other"' });
    expect(response.status).toBe(200);
  });

  it('is refused for a range after its end', async () => {
    const response = await get({ range: 'bytes=10-' });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('is not sent again if it is unmodified', async () => {
    const response = await get({ 'if-none-match': file.etag });
    expect(response.status).toBe(304);
    expect(response.headers.get('etag')).toBe(file.etag);
    expect(response.headers.get('cache-control')).toBe('private, max-age=3600');
    expect(await response.text()).toBe('');
  });

  it('is refused if If-Match does not match', async () => {
    const response = await get({ 'if-match': '"other"' });
    expect(response.status).toBe(412);
    expect(response.headers.get('x-error')).toBe('the file does not match the condition');
  });

  it('has no body for HEAD', async () => {
    const response = await get({}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('10');
    expect(response.headers.get('etag')).toBe(file.etag);
    expect(await response.text()).toBe('');
  });

  it('fails and is logged if the bytes are missing on disk', async () => {
    for (const name of await readdir(join(backend.folder, 'files', 'kept'))) {
      await rm(join(backend.folder, 'files', 'kept', name));
    }
    const response = await get();
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { message: 'an internal server error occurred', data: null },
    });
    expect(backend.errors.splice(0)).toHaveLength(1);
  });
});

describe('a file that could run code on this origin', () => {
  it.each([
    ['HTML', '<!doctype html><script>alert(1)</script>', 'text/html; charset=utf-8'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="x"/>', 'image/svg+xml'],
  ])('is downloaded instead of displayed: %s', async (_, text, type) => {
    const { id } = await client.upload(text, 'image.png');
    const response = await client.request(`/files/${id}`);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="image.png"');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*sandbox$/,
    );
  });
});

describe('a replaced file', () => {
  const put = (text: string, metadata?: object) => {
    const form = new FormData();
    form.append('file', new Blob([text]), 'other.txt');
    if (metadata) form.append('metadata', JSON.stringify(metadata));
    return client.request(`/files/${file.id}`, { method: 'PUT', body: form });
  };

  it('has new bytes and keeps its name', async () => {
    const before = await filesOnDisk(backend);
    const response = await put('hello');
    expect(response.status).toBe(200);
    const replaced = (await response.json()) as FileMetadata;
    expect(replaced).toMatchObject({ id: file.id, name: 'digits.txt', size: 5 });
    expect(replaced.etag).not.toBe(file.etag);
    expect(await (await get()).text()).toBe('hello');
    expect(await filesOnDisk(backend)).toHaveLength(before.length);
  });

  it('may get a new name and metadata', async () => {
    const response = await put('hello', { name: 'n.txt', metadata: { a: 1 } });
    expect(await response.json()).toMatchObject({ name: 'n.txt', metadata: { a: 1 } });
    expect(await (await put('again')).json()).toMatchObject({ name: 'n.txt', metadata: { a: 1 } });
  });

  it.each([
    ['empty', ''],
    ['too big', 'x'.repeat(1_000_001)],
  ])('is unchanged if its replacement is %s', async (_, text) => {
    const before = await filesOnDisk(backend);
    expect((await put(text)).status).toBe(400);
    expect(await (await get()).text()).toBe('0123456789');
    expect(await filesOnDisk(backend)).toEqual(before);
  });
});

it('deletes a file with its bytes', async () => {
  const before = await filesOnDisk(backend);
  const response = await client.request(`/files/${file.id}`, { method: 'DELETE' });
  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
  expect(await filesOnDisk(backend)).toHaveLength(before.length - 1);
  expect((await get()).status).toBe(404);
});

describe('requests are refused', () => {
  const calls: [string, string, string][] = [
    ['download', 'GET', ''],
    ['head', 'HEAD', ''],
    ['replacement', 'PUT', ''],
    ['removal', 'DELETE', ''],
    ['presigned URL', 'GET', '/presignedurl'],
  ];
  const outcomeOf = async (response: Response) => ({
    status: response.status,
    error: response.headers.get('x-error'),
  });

  it.each(calls)('for a missing file: %s', async (_, method, path) => {
    const response = await client.request(`/files/${randomUUID()}${path}`, { method });
    expect(await outcomeOf(response)).toEqual({ status: 404, error: 'file not found' });
  });

  it.each(calls)('for a file of another user: %s', async (_, method, path) => {
    const eve = fileClient(backend, await backend.signUp());
    const response = await eve.request(`/files/${file.id}${path}`, { method });
    expect(await outcomeOf(response)).toEqual({ status: 404, error: 'file not found' });
    expect(await (await get()).text()).toBe('0123456789');
  });

  it.each(calls)('for an invalid id: %s', async (_, method, path) => {
    const response = await client.request(`/files/..%2fkeys${path}`, { method });
    expect(await outcomeOf(response)).toEqual({ status: 400, error: 'invalid file id' });
  });

  it.each([
    ['without a token', { authorization: '' }, 403, 'you are not authorized'],
    [
      'with an invalid token',
      { authorization: 'Bearer x' },
      401,
      'invalid or expired access token',
    ],
    [
      'with a role that is not allowed',
      { 'x-hasura-role': 'admin' },
      403,
      'you are not authorized',
    ],
    ['with the public role', { 'x-hasura-role': 'public' }, 403, 'you are not authorized'],
  ])('%s', async (_, headers, status, error) => {
    expect(await outcomeOf(await get(headers as Record<string, string>))).toEqual({
      status,
      error,
    });
  });
});

it('lets the admin secret act as a user, but not without one', async () => {
  const secret = { authorization: '', 'x-hasura-admin-secret': ADMIN_SECRET };
  const acting = await get({ ...secret, 'x-hasura-user-id': ada.user.id });
  expect(await acting.text()).toBe('0123456789');
  expect((await get(secret)).status).toBe(403);
  expect((await get({ 'x-hasura-admin-secret': 'guess' })).status).toBe(403);
});

it('lets two users have files with the same id', async () => {
  const eve = fileClient(backend, await backend.signUp());
  const form = new FormData();
  form.append('file[]', new Blob(['mine']), 'mine');
  form.append('metadata[]', JSON.stringify({ id: file.id }));
  expect((await eve.send(form)).status).toBe(201);
  expect(await (await eve.request(`/files/${file.id}`)).text()).toBe('mine');
  expect(await (await get()).text()).toBe('0123456789');
});

it('reports its version', async () => {
  expect(await (await backend.app.request('/storage/v1/version')).json()).toEqual({
    buildVersion: '0.1.0',
  });
});
