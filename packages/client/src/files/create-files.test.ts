import { createFakeAuth, createSimulatedClock } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../http/caller-headers.ts';
import type { Fetch } from '../ports.ts';
import { createFiles } from './create-files.ts';
import type { Files } from './files.ts';

const file = new Blob(['hello'], { type: 'text/plain' });
const upload = (files: Files) => files.upload({ files: [{ file, name: 'a.txt' }] });

describe('the storage service', () => {
  it('uploads files with their metadata and a bucket', async () => {
    const { files, sent } = prepare(() => Response.json({ processedFiles: [{ id: '1' }] }));
    const request = { files: [{ file, name: 'a.txt', id: '1' }], bucketId: 'docs' };
    expect(await files.upload(request)).toEqual({ ok: true, data: [{ id: '1' }] });
    const form = sent[0]?.init?.body as FormData;
    expect(sent[0]).toMatchObject({ url: 'http://b/files', init: { method: 'POST' } });
    expect(sent[0]?.init?.headers).toMatchObject({ 'bucket-id': 'docs' });
    expect(form.get('bucket-id')).toBe('docs');
    expect(form.getAll('metadata[]')).toEqual(['{"id":"1","name":"a.txt"}']);
    expect((form.get('file[]') as File).name).toBe('a.txt');
  });

  it('names a bucket that does not fit into a header only in the form', async () => {
    const { files, sent } = prepare(() => Response.json({ processedFiles: [] }));
    await files.upload({ files: [{ file, name: 'a.txt' }], bucketId: 'früh✓' });
    const form = sent[0]?.init?.body as FormData;
    expect(sent[0]?.init?.headers).not.toHaveProperty('bucket-id');
    expect(form.get('bucket-id')).toBe('früh✓');
  });

  it.each<[string, (files: Files) => Promise<unknown>, string, string]>([
    [
      'downloads a resized image',
      (files) => files.download('1', { width: 9, blur: 2 }),
      'GET',
      '/files/1?w=9&b=2',
    ],
    ['downloads an original file', (files) => files.download('a/b'), 'GET', '/files/a%2Fb'],
    ['creates a presigned URL', (files) => files.presignedUrl('1'), 'GET', '/files/1/presignedurl'],
    ['deletes a file', (files) => files.delete('1'), 'DELETE', '/files/1'],
  ])('%s', async (_, send, method, path) => {
    const { files, sent } = prepare(() => Response.json({ url: 'http://signed' }));
    expect(await send(files)).toMatchObject({ ok: true });
    expect(sent).toMatchObject([{ url: `http://b${path}`, init: { method } }]);
    expect(sent[0]?.init?.headers).toEqual({ Authorization: 'Bearer token-1' });
  });

  it('receives the admin secret instead of the token, and the role', async () => {
    const { files, sent } = prepare(() => new Response(), { adminSecret: 's', role: 'editor' });
    await files.delete('1');
    expect(sent[0]?.init?.headers).toEqual({
      'x-hasura-admin-secret': 's',
      'x-hasura-role': 'editor',
    });
  });

  it.each<[string, (files: Files) => Promise<unknown>, Response, object]>([
    [
      'a download of a missing file',
      (files) => files.download('1'),
      new Response('nothing', { status: 404 }),
      { status: 404, message: 'File does not exist' },
    ],
    [
      'a rejected download',
      (files) => files.download('1'),
      new Response('go away', { status: 403 }),
      { status: 403, message: 'go away' },
    ],
    [
      'a rejected deletion',
      (files) => files.delete('1'),
      new Response('go away', { status: 403 }),
      { status: 403, message: 'go away' },
    ],
    [
      'a presigned URL of an invalid id',
      (files) => files.presignedUrl('x'),
      new Response('bad', { status: 400 }),
      { status: 400, message: 'Invalid file id' },
    ],
    [
      'a rejected upload',
      upload,
      Response.json({ error: { message: 'file too big' } }, { status: 400 }),
      { status: 400, message: 'file too big' },
    ],
    [
      'an upload without files in the response',
      upload,
      Response.json({}),
      { status: 0, error: 'invalid-response' },
    ],
  ])('returns an error for %s', async (_, send, response, error) => {
    const { files } = prepare(() => response);
    expect(await send(files)).toMatchObject({ ok: false, error });
  });

  it('fails with status 500 on a network error, and with status 0 for uploads', async () => {
    const { files } = prepare(() => {
      throw new TypeError('fetch failed');
    });
    expect(await files.download('1')).toMatchObject({ error: { status: 500, error: 'unknown' } });
    expect(await upload(files)).toMatchObject({ error: { status: 0, error: 'unknown' } });
  });

  it('fails with abort-error when aborted', async () => {
    const { files } = prepare((init) => {
      init?.signal?.throwIfAborted();
      return new Response();
    });
    const signal = AbortSignal.abort();
    const error = { status: 0, error: 'abort-error' };
    expect(await files.download('1', {}, { signal })).toMatchObject({ error });
    expect(await files.upload({ files: [] }, { signal })).toMatchObject({ error });
  });
});

function prepare(respond: (init?: RequestInit) => Response, caller: Caller = {}) {
  const sent: { url: string; init: RequestInit | undefined }[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ url, init });
    return respond(init);
  };
  const deps = { url: 'http://b', clock: createSimulatedClock(), fetch, auth: createFakeAuth() };
  return { files: createFiles({ ...deps, ...caller }), sent };
}
