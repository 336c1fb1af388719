import { type AccountUsage, decodeAccountUsage } from '@longshore/contract';
import { type CallDeps, call, textFailure } from '../http/call.ts';
import type { RequestResult } from '../http/request-result.ts';

export type UsageService = {
  /** What the signed-in user's account uses now, and its limits. */
  load(options?: { signal?: AbortSignal }): Promise<RequestResult<AccountUsage>>;
};

export function createUsage(deps: CallDeps): UsageService {
  return {
    load: ({ signal } = {}) => call(deps, { path: '', init: {}, signal, read: readUsage }),
  };
}

async function readUsage(response: Response): Promise<RequestResult<AccountUsage>> {
  if (!response.ok) return await textFailure(response);
  const usage = decodeAccountUsage(await response.json());
  return usage === undefined
    ? await textFailure(new Response(null, { status: 502 }), 'Unexpected response from the server')
    : { ok: true, data: usage };
}
