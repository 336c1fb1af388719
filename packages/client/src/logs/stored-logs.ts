import {
  decodeKeptLogs,
  decodeLogSearchPage,
  type KeptLogs,
  type LogSearchPage,
} from '@longshore/contract';
import { type CallDeps, call, textFailure } from '../http/call.ts';
import type { RequestResult } from '../http/request-result.ts';
import type { LogFile, Logs } from './logs.ts';

/** The server ends a download after as long. */
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const FILE_NAME = /filename="([^"/\\]+)"/;

/** Everything that the server keeps of a log, beyond the lines of a stream. */
export function createStoredLogs(deps: CallDeps): Pick<Logs, 'search' | 'download' | 'kept'> {
  return {
    search: (search, { signal }) =>
      call(deps, { ...post('/search', search), signal, read: decoded(decodeLogSearchPage) }),
    kept: (app, { signal }) =>
      call(deps, { ...post('/kept', app), signal, read: decoded(decodeKeptLogs) }),
    download: (filter, { signal }) =>
      call(deps, {
        ...post('/download', filter),
        signal,
        timeoutMs: DOWNLOAD_TIMEOUT_MS,
        read: readFile,
      }),
  };
}

function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  return { path, init: { method: 'POST', headers, body: JSON.stringify(body) } };
}

function decoded<Data extends LogSearchPage | KeptLogs>(
  decode: (body: unknown) => Data | undefined,
) {
  return async (response: Response): Promise<RequestResult<Data>> => {
    if (!response.ok) return await textFailure(response);
    const data = decode(await response.json());
    return data === undefined
      ? await textFailure(response, 'Unexpected response from the server')
      : { ok: true, data };
  };
}

async function readFile(response: Response): Promise<RequestResult<LogFile>> {
  if (!response.ok) return await textFailure(response);
  const [, name = 'app.log'] =
    FILE_NAME.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { ok: true, data: { name, content: await response.blob() } };
}
