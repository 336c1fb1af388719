import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Backend, startBackend } from '../../../test/backend.ts';
import { type FileMetadata, fileClient } from '../../../test/storage/file-client.ts';

let backend: Backend;
let client: ReturnType<typeof fileClient>;
let file: FileMetadata;
let url: URL;

beforeAll(async () => {
  backend = await startBackend();
  client = fileClient(backend, await backend.signUp());
});
beforeEach(async () => {
  file = await client.upload('0123456789');
  url = new URL(await sign(file.id));
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function sign(id: string): Promise<string> {
  const response = await client.request(`/files/${id}/presignedurl`);
  expect(response.status).toBe(200);
  const body = (await response.json()) as { url: string; expiration: number };
  expect(body.expiration).toBe(30);
  return body.url;
}

const open = (address: URL, init: RequestInit = {}) =>
  Promise.resolve(backend.app.request(address.href, init));

describe('a presigned URL', () => {
  it('serves the file without a token for half a minute', async () => {
    expect(url.href).toMatch(`http://localhost:1337/v1/storage/files/${file.id}/presignedurl/`);
    const response = await open(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toMatch(/^private, max-age=(29|30)$/);
    expect(await response.text()).toBe('0123456789');
    backend.clock.ahead = 31_000;
    onTestFinished(() => {
      backend.clock.ahead = 0;
    });
    const late = await open(url);
    expect({ status: late.status, error: late.headers.get('x-error') }).toEqual({
      status: 403,
      error: 'this URL has expired',
    });
  });

  it('serves ranges and HEAD requests', async () => {
    expect(await (await open(url, { headers: { range: 'bytes=2-4' } })).text()).toBe('234');
    const head = await open(url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe('10');
  });

  it('ignores a token, valid or not', async () => {
    expect((await open(url, { headers: { authorization: 'Bearer x' } })).status).toBe(200);
  });

  it.each<[string, (changed: URL, other: URL) => void]>([
    ['a later expiry', (changed) => changed.searchParams.set('expires', '99999999999')],
    ['no expiry', (changed) => changed.searchParams.delete('expires')],
    ['another signature', (changed) => changed.searchParams.set('signature', 'ab'.repeat(32))],
    ['a shorter signature', (changed) => changed.searchParams.set('signature', 'ab')],
    ['no signature', (changed) => changed.searchParams.delete('signature')],
    ['an invalid key', (changed) => changed.searchParams.set('key', '../\0')],
    [
      'the key of another file',
      (changed, other) => changed.searchParams.set('key', other.searchParams.get('key') ?? ''),
    ],
    [
      'the id of another file',
      (changed, other) => {
        changed.pathname = other.pathname;
      },
    ],
  ])('is not found with %s', async (_, change) => {
    const other = new URL(await sign((await client.upload('other')).id));
    change(url, other);
    const response = await open(url);
    expect(response.status).toBe(404);
    expect(response.headers.get('x-error')).toBe('file not found');
  });

  it('is not found once the file is deleted', async () => {
    await client.request(`/files/${file.id}`, { method: 'DELETE' });
    expect((await open(url)).status).toBe(404);
  });
});

it('is refused in a bucket without presigned URLs', async () => {
  await backend.db
    .insertInto('storage.buckets')
    .values({ id: 'closed', presigned_urls: false })
    .execute();
  const form = new FormData();
  form.append('file[]', new Blob(['x']), 'a');
  form.append('bucket-id', 'closed');
  const { body } = await client.send(form);
  const response = await client.request(`/files/${body.processedFiles?.[0]?.id}/presignedurl`);
  expect(response.status).toBe(403);
  expect(response.headers.get('x-error')).toBe('presigned URLs are off in this bucket');
});
