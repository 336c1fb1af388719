import { type DomainCheck, decodeDomainCheck } from '@longshore/contract';
import type { RequestResult } from '../graphql/request-result.ts';
import { type CallDeps, call, textFailure } from '../setup/call.ts';

export type Domains = {
  /** Looks now whether the custom domain of an app leads to it. */
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
    ? await textFailure(new Response(null, { status: 502 }), 'The answer cannot be understood')
    : { ok: true, data: check };
}
