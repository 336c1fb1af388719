import { type AppDomains, decodeAppDomains, isRecord } from '@longshore/contract';
import { type CallDeps, call, textFailure } from '../http/call.ts';
import type { RequestResult } from '../http/request-result.ts';

type AppOfProject = { projectId: string; appId: string };

export type Domains = {
  /** The custom domains of an app, as of their last check. */
  list(app: AppOfProject, options?: { signal?: AbortSignal }): Promise<RequestResult<AppDomains>>;
  /** Checks one domain now. Returns all of them. */
  check(
    app: AppOfProject & { domain: string },
    options?: { signal?: AbortSignal },
  ): Promise<RequestResult<AppDomains>>;
  /** The hosts of a project's apps that have a certificate. */
  secureHosts(
    projectId: string,
    options?: { signal?: AbortSignal },
  ): Promise<RequestResult<string[]>>;
  /** Tries again to get the certificate of a domain. */
  retryCertificate(app: AppOfProject & { domain: string }): Promise<RequestResult<AppDomains>>;
};

export function createDomains(deps: CallDeps): Domains {
  const post = (path: string, body: object, signal: AbortSignal | undefined) =>
    send(path, body, { signal, decode: decodeAppDomains });
  const send = <T>(path: string, body: object, { signal, decode }: Answer<T>) =>
    call(deps, {
      path,
      init: {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      signal,
      read: (response) => readAnswer(response, decode),
    });
  return {
    list: (app, { signal } = {}) => post('', app, signal),
    secureHosts: (projectId, { signal } = {}) =>
      send('/secure-hosts', { projectId }, { signal, decode: decodeHosts }),
    check: (app, { signal } = {}) => post('/check', app, signal),
    retryCertificate: (app) => post('/retry-certificate', app, undefined),
  };
}

type Answer<T> = {
  signal: AbortSignal | undefined;
  /** Undefined for a malformed response. */
  decode(body: unknown): T | undefined;
};

function decodeHosts(body: unknown): string[] | undefined {
  const hosts = isRecord(body) ? body.hosts : undefined;
  return Array.isArray(hosts) ? hosts.map(String) : undefined;
}

async function readAnswer<T>(
  response: Response,
  decode: Answer<T>['decode'],
): Promise<RequestResult<T>> {
  if (!response.ok) return await textFailure(response);
  const data = decode(await response.json());
  return data === undefined
    ? await textFailure(new Response(null, { status: 502 }), 'Unexpected response from the server')
    : { ok: true, data };
}
