import { decodeIsolationStatus, type IsolationStatus } from '@longshore/contract';
import { type CallDeps, call, textFailure } from '../http/call.ts';
import type { RequestResult } from '../http/request-result.ts';

export type IsolationService = {
  /** Whether apps are isolated, and whether the signed-in user may deploy. */
  status(options?: { signal?: AbortSignal }): Promise<RequestResult<IsolationStatus>>;
};

export function createIsolation(deps: CallDeps): IsolationService {
  return {
    status: ({ signal } = {}) => call(deps, { path: '', init: {}, signal, read: readStatus }),
  };
}

async function readStatus(response: Response): Promise<RequestResult<IsolationStatus>> {
  if (!response.ok) return await textFailure(response);
  const status = decodeIsolationStatus(await response.json());
  return status === undefined
    ? await textFailure(new Response(null, { status: 502 }), 'Unexpected response from the server')
    : { ok: true, data: status };
}
