import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { FileStore } from '../file-store.ts';
import type { OwnFiles } from '../own-files.ts';
import type { StoredFile } from '../stored-file.ts';
import { downloadFile } from './download-file.ts';

const FILE: StoredFile = {
  id: '6f1c8a52-4b1e-4c5e-9a43-0d4f4f3a1b20',
  userId: 'ada',
  bucketId: 'default',
  name: 'a.txt',
  size: 5,
  mimeType: 'text/plain',
  sha256: 'a hash',
  metadata: null,
  key: 'first',
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

/** Requests a file whose bytes were removed after its row was read. */
async function problemWhen(current: StoredFile | undefined): Promise<Error | undefined> {
  let problem: Error | undefined;
  const store = { read: async () => undefined } as unknown as FileStore;
  const files = { find: async () => current } as unknown as OwnFiles;
  const app = new Hono().get('/', (context) =>
    downloadFile(context, { file: FILE, cacheControl: 'no-cache' }, { store, files }),
  );
  app.onError((error, context) => {
    problem = error;
    return context.body(null, 500);
  });
  await app.request('/');
  return problem;
}

it('does not find a file that is deleted during the request', async () => {
  expect(await problemWhen(undefined)).toMatchObject({ status: 404, message: 'file not found' });
});

it('reports a conflict for a file that is replaced during the request', async () => {
  expect(await problemWhen({ ...FILE, key: 'second' })).toMatchObject({ status: 409 });
});

it('reports missing bytes of an existing file as a server error', async () => {
  expect(await problemWhen(FILE)).toMatchObject({ name: 'Error' });
});
