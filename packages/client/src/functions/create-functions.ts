import { failure, type RequestResult } from '../graphql/request-result.ts';
import { type CallDeps, call } from '../setup/call.ts';

export type FunctionAnswer = { data: unknown; status: number };

export type Functions = {
  /** Posts JSON to a function. Spec §7. */
  call(
    path: string,
    body?: unknown,
    options?: { signal?: AbortSignal },
  ): Promise<RequestResult<FunctionAnswer>>;
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
        read: readAnswer,
      }),
  };
}

async function readAnswer(response: Response): Promise<RequestResult<FunctionAnswer>> {
  const { ok, status, statusText } = response;
  const isJson = response.headers.get('content-type')?.includes('application/json') === true;
  const data: unknown = isJson ? await response.json() : await response.text();
  if (ok) return { ok: true, data: { data, status } };
  const message = typeof data === 'string' ? data : JSON.stringify(data);
  return failure({ status, error: statusText || 'unknown', message });
}
