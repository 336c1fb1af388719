import type { Context } from 'hono';
import type { StorageDeps } from '../deps.ts';
import { fileNotFound, StorageProblem } from '../storage-problem.ts';
import { etagOf, type StoredFile } from '../stored-file.ts';
import { wantedBytes } from './byte-range.ts';
import { judgeConditions, mayContinue } from './conditions.ts';
import { contentDisposition } from './disposition.ts';

/** Even a file that a browser would run has no script, no form and no origin of ours. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

type DownloadOptions = { file: StoredFile; cacheControl: string };

/** `GET` and `HEAD /files/{id}`: all bytes or some, or only that nothing has changed. */
export async function downloadFile(
  context: Context,
  { file, cacheControl }: DownloadOptions,
  { store, files }: Pick<StorageDeps, 'store' | 'files'>,
): Promise<Response> {
  const asked = context.req.raw.headers;
  const validators = { etag: etagOf(file), modifiedAt: file.updatedAt };
  for (const [name, value] of headersOf(file, cacheControl)) context.header(name, value);
  context.header('Vary', 'Authorization, X-Hasura-Role', { append: true });

  const verdict = judgeConditions(asked, validators);
  if (verdict === 'failed') throw new StorageProblem(412, 'the file is another one');
  if (verdict === 'not-modified') return context.body(null, 304);

  const range = mayContinue(asked, validators) ? context.req.header('range') : undefined;
  const wanted = wantedBytes(range, file.size);
  if (wanted.kind === 'none') {
    context.header('Content-Range', `bytes */${file.size}`);
    throw new StorageProblem(416, 'the file has no such bytes');
  }
  const span = wanted.kind === 'all' ? { start: 0, end: file.size - 1 } : wanted;
  context.header('Content-Type', file.mimeType);
  context.header('Content-Length', String(span.end - span.start + 1));
  if (wanted.kind === 'some') {
    context.header('Content-Range', `bytes ${span.start}-${span.end}/${file.size}`);
  }
  const status = wanted.kind === 'some' ? 206 : 200;
  if (context.req.raw.method === 'HEAD') return context.body(null, status);
  const bytes = await store.read(file.key, wanted.kind === 'some' ? span : undefined);
  if (bytes === undefined) throw await whyGone(file, files);
  return context.body(bytes, status);
}

/** Somebody may have been quicker: since its row was read, the file was deleted or got other bytes. */
async function whyGone(file: StoredFile, files: StorageDeps['files']): Promise<Error> {
  const now = await files.find(file.userId, file.id);
  if (now === undefined) return fileNotFound();
  return now.key === file.key
    ? new Error(`The bytes of file ${file.id} are gone`)
    : new StorageProblem(409, 'the file was replaced meanwhile, ask again');
}

function headersOf(file: StoredFile, cacheControl: string): [string, string][] {
  return [
    ['ETag', etagOf(file)],
    ['Last-Modified', file.updatedAt.toUTCString()],
    ['Accept-Ranges', 'bytes'],
    ['Cache-Control', cacheControl],
    ['Content-Disposition', contentDisposition(file.name, file.mimeType)],
    ['Content-Security-Policy', SANDBOX],
    ['Surrogate-Key', file.id],
    // A cache in front of us does not know whose file it is.
    ['Surrogate-Control', 'no-store'],
  ];
}
