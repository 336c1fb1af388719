import { type Context, Hono } from 'hono';
import type { StorageDeps } from './deps.ts';
import { downloadFile } from './download/download-file.ts';
import { FileStoreDown } from './file-store.ts';
import { presignedFile, presignedUrl } from './presigned/presigned-url.ts';
import {
  fileNotFound,
  fileStoreDown,
  notAuthorized,
  StorageProblem,
  storageProblemBody,
} from './storage-problem.ts';
import type { StoredFile } from './stored-file.ts';
import { replaceFile } from './upload/replace-file.ts';
import { uploadFiles } from './upload/upload-files.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Files of users, with the API of Nhost's storage service. */
export function createStorageService(deps: StorageDeps): Hono {
  const service = new Hono();
  service.post('/files', async (context) =>
    uploadFiles(context.req.raw, await callingUser(context), deps),
  );
  service.get('/files/:id', async (context) => {
    const file = await ownFile(context);
    const bucket = await deps.buckets.find(file.bucketId);
    const cacheControl = `private, ${bucket?.cacheControl ?? 'no-cache'}`;
    return downloadFile(context, { file, cacheControl }, deps);
  });
  service.put('/files/:id', async (context) => {
    const old = await ownFile(context);
    return replaceFile(context.req.raw, old, deps);
  });
  service.delete('/files/:id', async (context) => {
    const removed = await deps.files.remove(await callingUser(context), fileId(context));
    if (removed === undefined) throw fileNotFound();
    await deps.store.remove(removed.key);
    return context.body(null, 204);
  });
  service.get('/files/:id/presignedurl', async (context) =>
    presignedUrl(await ownFile(context), deps),
  );
  service.get('/files/:id/presignedurl/contents', async (context) => {
    const query = new URL(context.req.url).searchParams;
    const { file, secondsLeft } = await presignedFile(fileId(context), query, deps);
    const cacheControl = `private, max-age=${secondsLeft}`;
    return downloadFile(context, { file, cacheControl }, deps);
  });
  service.get('/version', (context) => context.json({ buildVersion: deps.version }));
  service.onError((error, context) => {
    const problem = error instanceof StorageProblem ? error : unexpected(error);
    context.header('X-Error', problem.message);
    context.header('Cache-Control', 'no-store');
    return context.json(storageProblemBody(problem), problem.status);
  });
  return service;

  async function ownFile(context: Context): Promise<StoredFile> {
    const file = await deps.files.find(await callingUser(context), fileId(context));
    if (file === undefined) throw fileNotFound();
    return file;
  }

  async function callingUser(context: Context): Promise<string> {
    const caller = await deps.resolveCaller(context.req.raw.headers);
    if (caller.kind === 'user') return caller.userId;
    if (caller.kind === 'refused' && caller.why === 'token') {
      throw new StorageProblem(401, 'invalid or expired access token');
    }
    throw notAuthorized();
  }

  function unexpected(error: unknown): StorageProblem {
    deps.logError(error);
    if (error instanceof FileStoreDown) return fileStoreDown();
    return new StorageProblem(500, 'an internal server error occurred');
  }
}

function fileId(context: Context): string {
  const id = context.req.param('id') ?? '';
  if (!UUID.test(id)) throw new StorageProblem(400, 'invalid file id');
  return id.toLowerCase();
}
