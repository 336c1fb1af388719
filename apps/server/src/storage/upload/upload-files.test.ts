import { randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../../test/backend.ts';
import { fileClient, filesOnDisk } from '../../../test/storage/file-client.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
const HELLO_SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

let backend: Backend;
let ada: Session;
let client: ReturnType<typeof fileClient>;

beforeAll(async () => {
  backend = await startBackend({ files: { maxFileBytes: 10_000, quotaBytes: 100_000 } });
  await backend.db
    .insertInto('storage.buckets')
    .values({ id: 'small', min_bytes: 3, max_bytes: 10 })
    .execute();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

beforeEach(async () => {
  ada = await backend.signUp();
  client = fileClient(backend, ada);
});

function form(...parts: [name: string, value: string | Blob, filename?: string][]): FormData {
  const made = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') made.append(name, value);
    else made.append(name, value, filename);
  }
  return made;
}

const hello = new Blob(['hello']);

describe('an upload', () => {
  it('returns the metadata of the stored files', async () => {
    const { status, body } = await client.send(form(['file[]', hello, 'hello.txt']));
    expect(status).toBe(201);
    expect(body).toEqual({
      processedFiles: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'hello.txt',
          size: 5,
          bucketId: 'default',
          etag: `"${HELLO_SHA256}"`,
          createdAt: expect.stringMatching(/Z$/),
          updatedAt: expect.stringMatching(/Z$/),
          isUploaded: true,
          mimeType: 'text/plain; charset=utf-8',
          uploadedByUserId: ada.user.id,
        },
      ],
    });
  });

  const id = randomUUID();
  const metadata = JSON.stringify({ id, name: 'b.png', metadata: { tags: ['x'] } });
  it.each([
    [
      'version 3: files, metadata, bucket',
      [
        ['file[]', new Blob([PNG]), 'a'],
        ['metadata[]', metadata],
        ['bucket-id', 'default'],
      ],
    ],
    [
      'version 4: bucket, metadata, files',
      [
        ['bucket-id', 'default'],
        ['metadata[]', metadata],
        ['file[]', new Blob([PNG]), 'a'],
      ],
    ],
    [
      'browsers: metadata with an empty file name',
      [
        ['file[]', new Blob([PNG]), 'a'],
        ['metadata[]', new Blob([metadata]), ''],
      ],
    ],
  ] as [string, Parameters<typeof form>][])('accepts the order of %s', async (_, parts) => {
    const { status, body } = await client.send(form(...parts));
    expect({ status, error: body.error }).toEqual({ status: 201, error: undefined });
    expect(body.processedFiles).toMatchObject([
      { id, name: 'b.png', mimeType: 'image/png', metadata: { tags: ['x'] }, bucketId: 'default' },
    ]);
  });

  it('combines several files with their metadata', async () => {
    const { body } = await client.send(
      form(
        ['file[]', new Blob(['one']), 'x'],
        ['file[]', new Blob(['three']), 'y'],
        ['metadata[]', '{"name":"1"}'],
        ['metadata[]', '{"name":"2"}'],
      ),
    );
    expect(body.processedFiles).toMatchObject([
      { name: '1', size: 3 },
      { name: '2', size: 5 },
    ]);
  });

  it.each(['bucket-id', 'x-nhost-bucket-id'])(
    'may name its bucket in the header %s',
    async (name) => {
      const { body } = await client.send(form(['file[]', hello, 'a']), { [name]: 'small' });
      expect(body.processedFiles).toMatchObject([{ bucketId: 'small' }]);
    },
  );

  it('keeps only the last part of a path, in any language', async () => {
    const { body } = await client.send(form(['file[]', hello, '../../etc/früh✓.txt']));
    expect(body.processedFiles).toMatchObject([{ name: 'früh✓.txt' }]);
  });
});

describe('an upload is refused with a reason, without leaving files:', () => {
  const refused: [string, Parameters<typeof form>, number, string, unknown][] = [
    ['no file', [['metadata[]', '{}']], 400, 'file[] not found in Multipart form', null],
    [
      'a file of another name',
      [['file', hello, 'a']],
      400,
      'file[] not found in Multipart form',
      null,
    ],
    [
      'too little metadata',
      [
        ['file[]', hello, 'a'],
        ['file[]', hello, 'b'],
        ['metadata[]', '{}'],
      ],
      400,
      "file metadata length doesn't match number of files in request",
      null,
    ],
    [
      'metadata that is not JSON',
      [
        ['file[]', hello, 'a'],
        ['metadata[]', '{'],
      ],
      400,
      "couldn't decode metadata",
      null,
    ],
    [
      'metadata that is a list',
      [
        ['file[]', hello, 'a'],
        ['metadata[]', '[]'],
      ],
      400,
      "couldn't decode metadata",
      null,
    ],
    [
      'an invalid id',
      [
        ['file[]', hello, 'a'],
        ['metadata[]', '{"id":"1"}'],
      ],
      400,
      "couldn't decode metadata",
      null,
    ],
    [
      'a null character',
      [
        ['file[]', hello, 'a'],
        ['metadata[]', '{"name":"a\\u0000"}'],
      ],
      400,
      "couldn't decode metadata",
      null,
    ],
    [
      'a lone surrogate',
      [
        ['file[]', hello, 'a'],
        ['metadata[]', '{"metadata":{"a":"\\ud800"}}'],
      ],
      400,
      "couldn't decode metadata",
      null,
    ],
    [
      'metadata that is too long',
      [
        ['file[]', hello, 'a'],
        ['metadata[]', 'x'.repeat(20_000)],
      ],
      400,
      'metadata[] is too long',
      null,
    ],
    [
      'an unknown bucket',
      [
        ['file[]', hello, 'a'],
        ['bucket-id', 'nowhere'],
      ],
      404,
      'bucket not found',
      null,
    ],
    [
      'a bucket with a null character',
      [
        ['file[]', hello, 'a'],
        ['bucket-id', 'a\0b'],
      ],
      404,
      'bucket not found',
      null,
    ],
    [
      'an empty file',
      [['file[]', new Blob([]), 'a']],
      400,
      'file too small',
      { filename: 'a', size: 0, minSize: 1 },
    ],
    [
      'a file above the limit of the bucket',
      [
        ['file[]', new Blob(['x'.repeat(11)]), 'a'],
        ['bucket-id', 'small'],
      ],
      400,
      'file too big',
      { filename: 'a', size: 11, maxSize: 10 },
    ],
    [
      'a file below the minimum of the bucket',
      [
        ['file[]', new Blob(['x']), 'a'],
        ['bucket-id', 'small'],
      ],
      400,
      'file too small',
      { filename: 'a', size: 1, minSize: 3 },
    ],
    [
      'a file above the limit of the server',
      [['file[]', new Blob(['x'.repeat(10_001)]), 'a']],
      400,
      'file too big',
      { filename: 'a', size: expect.any(Number), maxSize: 10_000 },
    ],
    [
      'too many files',
      Array.from({ length: 101 }, (_, index) => ['file[]', hello, `${index}`] as const).map(
        ([...part]) => part,
      ),
      400,
      'too many parts in the form',
      null,
    ],
  ];
  it.each(refused)('%s', async (_, parts, status, message, data) => {
    const before = await filesOnDisk(backend);
    const response = await client.send(form(...parts));
    expect(response).toMatchObject({ status, body: { error: { message, data } } });
    expect(response.headers.get('x-error')).toBe(message);
    expect(await filesOnDisk(backend)).toEqual(before);
  });

  it.each([
    ['a body that is not a form', 'application/json', '{}'],
    ['a form without a boundary', 'multipart/form-data', 'x'],
    [
      'a form that never ends',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file[]"; filename="a"\r\n\r\nhel',
    ],
    ['no body', 'multipart/form-data; boundary=x', ''],
    ['other text', 'multipart/form-data; boundary=x', 'hello'],
  ])('%s', async (_, contentType, body) => {
    const before = await filesOnDisk(backend);
    const response = await client.request('/files', {
      method: 'POST',
      body,
      headers: { 'content-type': contentType },
    });
    expect(response.status).toBe(400);
    expect(await filesOnDisk(backend)).toEqual(before);
  });

  it('an id in use; the files before it stay', async () => {
    const { id } = await client.upload('first');
    const before = await filesOnDisk(backend);
    const { status, body } = await client.send(
      form(
        ['file[]', hello, 'new'],
        ['file[]', hello, 'again'],
        ['file[]', hello, 'never'],
        ['metadata[]', '{}'],
        ['metadata[]', JSON.stringify({ id })],
        ['metadata[]', '{}'],
      ),
    );
    expect(status).toBe(400);
    expect(body).toMatchObject({
      processedFiles: [{ name: 'new' }],
      error: { message: 'a file with this id exists already', data: { id } },
    });
    expect(await filesOnDisk(backend)).toHaveLength(before.length + 1);
  });

  it('more than the quota, in one upload or in many concurrent ones', async () => {
    const nearly = new Blob(['x'.repeat(9_000)]);
    const parts = Array.from(
      { length: 12 },
      () => ['file[]', nearly, 'a'] as [string, Blob, string],
    );
    const before = await filesOnDisk(backend);
    expect(await client.send(form(...parts))).toMatchObject({
      status: 403,
      body: { error: { message: 'storage quota exceeded', data: { maxSize: 100_000 } } },
    });
    expect(await filesOnDisk(backend)).toEqual(before);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.send(form(['file[]', nearly, 'a']))),
    );
    const taken = responses.filter(({ status }) => status === 201);
    expect(taken.length).toBeLessThanOrEqual(11);
    expect(await filesOnDisk(backend)).toHaveLength(before.length + taken.length);
    await backend.db.deleteFrom('storage.files').where('user_id', '=', ada.user.id).execute();
    expect((await client.send(form(['file[]', nearly, 'a']))).status).toBe(201);
  });
});

it('accepts a hundred concurrent uploads', async () => {
  const texts = Array.from({ length: 100 }, (_, index) => `file ${index}`);
  const files = await Promise.all(texts.map((text) => client.upload(text)));
  const back = await Promise.all(
    files.map(async ({ id }) => (await client.request(`/files/${id}`)).text()),
  );
  expect(back).toEqual(texts);
});

it('is refused with the token of a deleted user', async () => {
  const before = await filesOnDisk(backend);
  await backend.db.deleteFrom('auth.users').where('id', '=', ada.user.id).execute();
  const { status, body } = await client.send(form(['file[]', hello, 'a']));
  expect({ status, error: body.error?.message }).toEqual({
    status: 401,
    error: 'invalid or expired access token',
  });
  expect(await filesOnDisk(backend)).toEqual(before);
});
