import { type DomainCheck, decodeDomainCheck } from '@longshore/contract';
import { type CallDeps, call, textFailure } from '../http/call.ts';
import type { RequestResult } from '../http/request-result.ts';

export type Domains = {
  /** Checks whether the DNS record of an app's custom domain points to this installation. */
  check(
    app: { projectId: string; appId: string },
    options?: { signal?: AbortSignal },
  ): Promise<RequestResult<DomainCheck>>;
};

export function createDomains(deps: CallDeps): Domains {
  return {
    check: (app, { signal } = {}) =>
      call(deps, {
        path: '',
        init: {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(app),
        },
        signal,
        read: readCheck,
      }),
  };
}

async function readCheck(response: Response): Promise<RequestResult<DomainCheck>> {
  if (!response.ok) return await textFailure(response);
  const check = decodeDomainCheck(await response.json());
  return check === undefined
    ? await textFailure(new Response(null, { status: 502 }), 'Unexpected response from the server')
    : { ok: true, data: check };
}
