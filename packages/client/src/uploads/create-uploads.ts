import { UPLOAD_PATHS } from '@longshore/contract';
import { type CallDeps, call, textFailure } from '../http/call.ts';
import type { RequestResult } from '../http/request-result.ts';

/** The server accepts an upload for so long. */
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

export type Uploads = {
  /** Makes a .tar.gz archive the source of the app, and deploys it. */
  source(
    appId: string,
    archive: Blob,
    options?: { signal?: AbortSignal },
  ): Promise<RequestResult<undefined>>;
  /** The same with the sample app. */
  sample(appId: string): Promise<RequestResult<undefined>>;
};

export function createUploads(deps: CallDeps): Uploads {
  const pathOf = (path: string, appId: string) => path.replace(':id', encodeURIComponent(appId));
  return {
    source: (appId, archive, { signal } = {}) =>
      call(deps, {
        path: pathOf(UPLOAD_PATHS.source, appId),
        init: { method: 'POST', headers: { 'content-type': 'application/gzip' }, body: archive },
        timeoutMs: UPLOAD_TIMEOUT_MS,
        signal,
        read,
      }),
    sample: (appId) =>
      call(deps, { path: pathOf(UPLOAD_PATHS.sample, appId), init: { method: 'POST' }, read }),
  };
}

async function read(response: Response): Promise<RequestResult<undefined>> {
  return response.ok ? { ok: true, data: undefined } : await textFailure(response);
}
