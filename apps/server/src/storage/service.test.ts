import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN_SECRET, type Backend, startBackend } from '../../test/backend.ts';
import { type FileMetadata, fileCaller, filesOnDisk } from '../../test/storage/file-caller.ts';

let backend: Backend;
let ada: Session;
let caller: ReturnType<typeof fileCaller>;
let file: FileMetadata;

beforeAll(async () => {
  backend = await startBackend();
});
beforeEach(async () => {
  ada = await backend.signUp();
  caller = fileCaller(backend, ada);
  file = await caller.upload('0123456789', 'digits.txt');
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  caller.ask(`/files/${file.id}`, { method, headers });

describe('a download', () => {
  it('has the bytes and says what they are', async () => {
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

  it('is the file as it is, whatever image was wished for', async () => {
    const response = await caller.ask(`/files/${file.id}?w=10&h=20&q=80&b=2`);
    expect(await response.text()).toBe('0123456789');
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
  ])('may be a part: %s', async (range, status, text, contentRange) => {
    const response = await get({ range });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(await response.text()).toBe(text);
  });

  it('is whole for somebody who has the rest of another file', async () => {
    const response = await get({ range: 'bytes=2-4', 'if-range': '"other"' });
    expect(response.status).toBe(200);
  });

  it('has no bytes beyond its end', async () => {
    const response = await get({ range: 'bytes=10-' });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('is not sent again', async () => {
    const response = await get({ 'if-none-match': file.etag });
    expect(response.status).toBe(304);
    expect(response.headers.get('etag')).toBe(file.etag);
    expect(response.headers.get('cache-control')).toBe('private, max-age=3600');
    expect(await response.text()).toBe('');
  });

  it('is refused when it was to be another file', async () => {
    const response = await get({ 'if-match': '"other"' });
    expect(response.status).toBe(412);
    expect(response.headers.get('x-error')).toBe('the file is another one');
  });

  it('is told of without its bytes', async () => {
    const response = await get({}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('10');
    expect(response.headers.get('etag')).toBe(file.etag);
    expect(await response.text()).toBe('');
  });

  it('fails, and is logged, when somebody else took the bytes away', async () => {
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

describe('what could run on our origin', () => {
  it.each([
    ['a page', '<!doctype html><script>alert(1)</script>', 'text/html; charset=utf-8'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg" onload="x"/>', 'image/svg+xml'],
  ])('is saved, not shown: %s', async (_, text, type) => {
    const { id } = await caller.upload(text, 'image.png');
    const response = await caller.ask(`/files/${id}`);
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
    return caller.ask(`/files/${file.id}`, { method: 'PUT', body: form });
  };

  it('has other bytes and keeps its name', async () => {
    const before = await filesOnDisk(backend);
    const response = await put('hello');
    expect(response.status).toBe(200);
    const replaced = (await response.json()) as FileMetadata;
    expect(replaced).toMatchObject({ id: file.id, name: 'digits.txt', size: 5 });
    expect(replaced.etag).not.toBe(file.etag);
    expect(await (await get()).text()).toBe('hello');
    expect(await filesOnDisk(backend)).toHaveLength(before.length);
  });

  it('may have another name and other metadata', async () => {
    const response = await put('hello', { name: 'n.txt', metadata: { a: 1 } });
    expect(await response.json()).toMatchObject({ name: 'n.txt', metadata: { a: 1 } });
    expect(await (await put('again')).json()).toMatchObject({ name: 'n.txt', metadata: { a: 1 } });
  });

  it.each([
    ['nothing', ''],
    ['too much', 'x'.repeat(1_000_001)],
  ])('stays as it was when it is replaced by %s', async (_, text) => {
    const before = await filesOnDisk(backend);
    expect((await put(text)).status).toBe(400);
    expect(await (await get()).text()).toBe('0123456789');
    expect(await filesOnDisk(backend)).toEqual(before);
  });
});

it('removes a file with its bytes', async () => {
  const before = await filesOnDisk(backend);
  const response = await caller.ask(`/files/${file.id}`, { method: 'DELETE' });
  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
  expect(await filesOnDisk(backend)).toHaveLength(before.length - 1);
  expect((await get()).status).toBe(404);
});

describe('nothing is told', () => {
  const calls: [string, string, string][] = [
    ['download', 'GET', ''],
    ['head', 'HEAD', ''],
    ['replacement', 'PUT', ''],
    ['removal', 'DELETE', ''],
    ['presigned URL', 'GET', '/presignedurl'],
  ];
  const answer = async (response: Response) => ({
    status: response.status,
    error: response.headers.get('x-error'),
  });

  it.each(calls)('about a missing file: %s', async (_, method, path) => {
    const response = await caller.ask(`/files/${randomUUID()}${path}`, { method });
    expect(await answer(response)).toEqual({ status: 404, error: 'file not found' });
  });

  it.each(calls)('about a file of somebody else: %s', async (_, method, path) => {
    const eve = fileCaller(backend, await backend.signUp());
    const response = await eve.ask(`/files/${file.id}${path}`, { method });
    expect(await answer(response)).toEqual({ status: 404, error: 'file not found' });
    expect(await (await get()).text()).toBe('0123456789');
  });

  it.each(calls)('for an id that is none: %s', async (_, method, path) => {
    const response = await caller.ask(`/files/..%2fkeys${path}`, { method });
    expect(await answer(response)).toEqual({ status: 400, error: 'invalid file id' });
  });

  it.each([
    ['nobody', { authorization: '' }, 403, 'you are not authorized'],
    ['a bad token', { authorization: 'Bearer x' }, 401, 'invalid or expired access token'],
    ['a role that is not theirs', { 'x-hasura-role': 'admin' }, 403, 'you are not authorized'],
    ['the public role', { 'x-hasura-role': 'public' }, 403, 'you are not authorized'],
  ])('to %s', async (_, headers, status, error) => {
    expect(await answer(await get(headers as Record<string, string>))).toEqual({ status, error });
  });
});

it('lets the operator act for a user, and only for one', async () => {
  const secret = { authorization: '', 'x-hasura-admin-secret': ADMIN_SECRET };
  const acting = await get({ ...secret, 'x-hasura-user-id': ada.user.id });
  expect(await acting.text()).toBe('0123456789');
  expect((await get(secret)).status).toBe(403);
  expect((await get({ 'x-hasura-admin-secret': 'guess' })).status).toBe(403);
});

it('lets two people have files of the same id', async () => {
  const eve = fileCaller(backend, await backend.signUp());
  const form = new FormData();
  form.append('file[]', new Blob(['mine']), 'mine');
  form.append('metadata[]', JSON.stringify({ id: file.id }));
  expect((await eve.send(form)).status).toBe(201);
  expect(await (await eve.ask(`/files/${file.id}`)).text()).toBe('mine');
  expect(await (await get()).text()).toBe('0123456789');
});

it('tells its version', async () => {
  expect(await (await backend.app.request('/storage/v1/version')).json()).toEqual({
    buildVersion: '0.1.0',
  });
});
