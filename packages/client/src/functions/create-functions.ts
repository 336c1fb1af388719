import { type CallDeps, call } from '../http/call.ts';
import { failure, type RequestResult } from '../http/request-result.ts';

export type FunctionResponse = { data: unknown; status: number };

export type Functions = {
  /** Posts JSON to a function (spec-map 7.4.1). */
  call(
    path: string,
    body?: unknown,
    options?: { signal?: AbortSignal },
  ): Promise<RequestResult<FunctionResponse>>;
};

export function createFunctions(deps: CallDeps): Functions {
  return {
    call: (path, body = null, { signal } = {}) =>
      call(deps, {
        path: path.startsWith('/') ? path : `/${path}`,
        init: {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        signal,
        read: readResponse,
      }),
  };
}

async function readResponse(response: Response): Promise<RequestResult<FunctionResponse>> {
  const { ok, status, statusText } = response;
  const isJson = response.headers.get('content-type')?.includes('application/json') === true;
  const data: unknown = isJson ? await response.json() : await response.text();
  if (ok) return { ok: true, data: { data, status } };
  const message = typeof data === 'string' ? data : JSON.stringify(data);
  return failure({ status, error: statusText || 'unknown', message });
}
