import { isRecord } from '@longshore/contract';
import { type CallDeps, call, textFailure } from '../http/call.ts';
import { failure, type RequestResult } from '../http/request-result.ts';
import type { FileMetadata, Files, FileToUpload, ImageOptions } from './files.ts';

/** Files may be large and connections slow. */
const TRANSFER_TIMEOUT_MS = 600_000;

/** The storage service (spec-map 7.3). Failures are returned, never thrown. */
export function createFiles(deps: CallDeps): Files {
  return {
    async upload({ files, bucketId }, { signal } = {}) {
      const result = await call<FileMetadata[]>(deps, {
        path: '/files',
        init: {
          method: 'POST',
          headers: bucketHeader(bucketId),
          body: uploadForm(files, bucketId),
        },
        signal,
        timeoutMs: TRANSFER_TIMEOUT_MS,
        read: readUpload,
      });
      return isNetworkFailure(result) ? failure({ ...result.error, status: 0 }) : result;
    },
    download: (fileId, image = {}, { signal } = {}) =>
      call(deps, {
        path: `/files/${encodeURIComponent(fileId)}${fileQuery(image)}`,
        init: { method: 'GET' },
        signal,
        timeoutMs: TRANSFER_TIMEOUT_MS,
        read: async (response) =>
          response.ok ? { ok: true, data: await response.blob() } : fileFailure(response),
      }),
    presignedUrl: (fileId, { signal } = {}) =>
      call(deps, {
        path: `/files/${encodeURIComponent(fileId)}/presignedurl`,
        init: { method: 'GET' },
        signal,
        read: readPresignedUrl,
      }),
    delete: (fileId, { signal } = {}) =>
      call<undefined>(deps, {
        path: `/files/${encodeURIComponent(fileId)}`,
        init: { method: 'DELETE' },
        signal,
        read: async (response) =>
          response.ok ? { ok: true, data: undefined } : fileFailure(response),
      }),
  };
}

async function readUpload(response: Response): Promise<RequestResult<FileMetadata[]>> {
  if (!response.ok) return textFailure(response);
  const body: unknown = await response.json();
  const files = isRecord(body) ? body.processedFiles : undefined;
  return Array.isArray(files)
    ? { ok: true, data: files as FileMetadata[] }
    : failure({ status: 0, error: 'invalid-response', message: 'The response contains no files' });
}

async function readPresignedUrl(response: Response): Promise<RequestResult<string>> {
  if (response.status === 400) return textFailure(response, 'Invalid file id');
  if (!response.ok) return fileFailure(response);
  const body: unknown = await response.json();
  return isRecord(body) && typeof body.url === 'string'
    ? { ok: true, data: body.url }
    : failure({ status: 0, error: 'invalid-response', message: 'Invalid file id' });
}

function fileFailure(response: Response) {
  return textFailure(response, response.status === 404 ? 'File does not exist' : undefined);
}

/** A network failure has status 0 for uploads and 500 for other calls (spec-map 8.1.19–20). */
function isNetworkFailure(
  result: RequestResult<unknown>,
): result is Extract<RequestResult<unknown>, { ok: false }> {
  return !result.ok && result.error.status === 500 && result.error.error === 'unknown';
}

/** The bucket is named in a header (spec-map 7.3.1). A header cannot hold other characters; the form can. */
function bucketHeader(bucketId = ''): Record<string, string> {
  return /^[!-~]+$/.test(bucketId) ? { 'bucket-id': bucketId } : {};
}

/** `file[]` and `metadata[]` have the same order. The bucket is also a field, for Nhost's own storage service. */
function uploadForm(files: readonly FileToUpload[], bucketId?: string): FormData {
  const form = new FormData();
  if (bucketId !== undefined) form.append('bucket-id', bucketId);
  for (const { file, id, name } of files) {
    form.append('metadata[]', JSON.stringify({ id, name }));
    form.append('file[]', file, name);
  }
  return form;
}

function fileQuery({ width, height, quality, blur }: ImageOptions): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ w: width, h: height, q: quality, b: blur })) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}
