import type { Context } from 'hono';
import type { StorageDeps } from '../deps.ts';
import { fileNotFound, StorageProblem } from '../storage-problem.ts';
import { etagOf, type StoredFile } from '../stored-file.ts';
import { requestedBytes } from './byte-range.ts';
import { checkConditions, matchesIfRange } from './conditions.ts';
import { contentDisposition } from './disposition.ts';

/** Even a file that a browser displays has no scripts, no forms and no origin. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

type DownloadOptions = { file: StoredFile; cacheControl: string };

/** `GET` and `HEAD /files/{id}`, with ranges and conditions. */
export async function downloadFile(
  context: Context,
  { file, cacheControl }: DownloadOptions,
  { store, files }: Pick<StorageDeps, 'store' | 'files'>,
): Promise<Response> {
  const requestHeaders = context.req.raw.headers;
  const validators = { etag: etagOf(file), modifiedAt: file.updatedAt };
  for (const [name, value] of headersOf(file, cacheControl)) context.header(name, value);
  context.header('Vary', 'Authorization, X-Hasura-Role', { append: true });

  const outcome = checkConditions(requestHeaders, validators);
  if (outcome === 'failed') throw new StorageProblem(412, 'the file does not match the condition');
  if (outcome === 'not-modified') return context.body(null, 304);

  const range = matchesIfRange(requestHeaders, validators)
    ? context.req.header('range')
    : undefined;
  const requested = requestedBytes(range, file.size);
  if (requested.kind === 'none') {
    context.header('Content-Range', `bytes */${file.size}`);
    throw new StorageProblem(416, 'the file does not have the requested range');
  }
  const span = requested.kind === 'all' ? { start: 0, end: file.size - 1 } : requested;
  context.header('Content-Type', file.mimeType);
  context.header('Content-Length', String(span.end - span.start + 1));
  if (requested.kind === 'some') {
    context.header('Content-Range', `bytes ${span.start}-${span.end}/${file.size}`);
  }
  const status = requested.kind === 'some' ? 206 : 200;
  if (context.req.raw.method === 'HEAD') return context.body(null, status);
  const bytes = await store.read(file.key, requested.kind === 'some' ? span : undefined);
  if (bytes === undefined) throw await missingBytesProblem(file, files);
  return context.body(bytes, status);
}

/** The file may have been deleted or replaced since its row was read. */
async function missingBytesProblem(file: StoredFile, files: StorageDeps['files']): Promise<Error> {
  const current = await files.find(file.userId, file.id);
  if (current === undefined) return fileNotFound();
  return current.key === file.key
    ? new Error(`The bytes of file ${file.id} are missing`)
    : new StorageProblem(409, 'the file was replaced during the request, try again');
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
    // A shared cache does not know who may read the file.
    ['Surrogate-Control', 'no-store'],
  ];
}
