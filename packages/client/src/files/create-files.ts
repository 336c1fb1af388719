import { isRecord } from '@longshore/contract';
import { failure, type RequestResult } from '../graphql/request-result.ts';
import { type CallDeps, call, textFailure } from '../setup/call.ts';
import type { FileMetadata, Files } from './files.ts';
import { fileQuery, uploadForm } from './files-request.ts';

/** Files may be large and lines slow. */
const TRANSFER_TIMEOUT_MS = 600_000;

/** The storage service. Answers, never throws. Spec §7 and §8. */
export function createFiles(deps: CallDeps): Files {
  return {
    async upload({ files, bucketId }, { signal } = {}) {
      const result = await call<FileMetadata[]>(deps, {
        path: '/files',
        init: { method: 'POST', body: uploadForm(files, bucketId) },
        signal,
        timeoutMs: TRANSFER_TIMEOUT_MS,
        read: readUpload,
      });
      return isLineCut(result) ? failure({ ...result.error, status: 0 }) : result;
    },
    download: (fileId, wish = {}, { signal } = {}) =>
      call(deps, {
        path: `/files/${encodeURIComponent(fileId)}${fileQuery(wish)}`,
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
    : failure({ status: 0, error: 'invalid-response', message: 'No files in the answer' });
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

/** Spec §8: an upload that is cut has status 0, other calls 500. */
function isLineCut(
  result: RequestResult<unknown>,
): result is Extract<RequestResult<unknown>, { ok: false }> {
  return !result.ok && result.error.status === 500 && result.error.error === 'unknown';
}
