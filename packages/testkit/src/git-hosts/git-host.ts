import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { serveHttp } from '../serve-http.ts';
import { createHostState, type HostRepository, type HostState } from './host-state.ts';
import { createOauth, type Oauth } from './oauth.ts';

/** A request that the host received. */
export type HostRequest = {
  method: string;
  url: URL;
  /** Segments of the path, each decoded. */
  segments: string[];
  headers: IncomingMessage['headers'];
  text: string;
};

export type HostResponse = {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
};

export type CloneUrls = { https(fullName: string): string; ssh(fullName: string): string };

export type GitHostOptions = {
  /** Clone URLs of a real git server. By default, URLs without a git server. */
  cloneUrls?: CloneUrls;
  /** Handles requests outside the API, such as those of git. */
  fallback?: RequestListener;
};

/** The API routes of a provider. Returns undefined for unknown paths. */
export type HostRoutes = (request: HostRequest, host: HostContext) => HostResponse | undefined;

export type HostContext = { state: HostState; oauth: Oauth; cloneUrls: CloneUrls };

export type Intercept = (
  request: HostRequest,
) => HostResponse | undefined | Promise<HostResponse | undefined>;

/** A fake code host on a real port, with the API that the provider documents. */
export type GitHost = {
  url: string;
  state: HostState;
  oauth: Oauth;
  /** All API requests so far. */
  requests: HostRequest[];
  /** Responds instead of the routes, to simulate errors and slow responses. */
  intercept: Intercept | undefined;
  /** Undefined: requests are not limited. */
  rateLimit: RateLimit | undefined;
  cloneUrls: CloneUrls;
  close(): Promise<void>;
};

type RateLimit = { remaining: number; resetAt: Date };

export type HostKind = {
  routes: HostRoutes;
  hasRefreshTokens: boolean;
  rateLimitResponse(limit: RateLimit): HostResponse;
  /** Whether a path belongs to the API, as opposed to git. */
  isApiPath(path: string): boolean;
};

export async function startGitHost(kind: HostKind, options: GitHostOptions = {}): Promise<GitHost> {
  const state = createHostState();
  const oauth = createOauth(state, kind);
  const server = await serveHttp((incoming, outgoing) => {
    void handle(incoming, outgoing);
  });
  const cloneUrls = options.cloneUrls ?? {
    https: (fullName) => `${server.url}/${fullName}.git`,
    ssh: (fullName) => `git@${new URL(server.url).hostname}:${fullName}.git`,
  };
  const host: GitHost = {
    url: server.url,
    state,
    oauth,
    requests: [],
    intercept: undefined,
    rateLimit: undefined,
    cloneUrls,
    close: server.close,
  };
  return host;

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', server.url);
    if (!kind.isApiPath(url.pathname) && options.fallback)
      return options.fallback(incoming, outgoing);
    const request = await read(incoming, url);
    host.requests.push(request);
    send(outgoing, (await host.intercept?.(request)) ?? countRequest() ?? route(request));
  }

  function countRequest(): HostResponse | undefined {
    if (host.rateLimit === undefined) return undefined;
    if (host.rateLimit.remaining === 0) return kind.rateLimitResponse(host.rateLimit);
    host.rateLimit.remaining -= 1;
    return undefined;
  }

  function route(request: HostRequest): HostResponse {
    const response = kind.routes(request, host);
    return response ?? { status: 404, body: { message: '404 Not Found', error: '404 Not Found' } };
  }
}

async function read(incoming: IncomingMessage, url: URL): Promise<HostRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return {
    method: incoming.method ?? 'GET',
    url,
    segments: url.pathname.split('/').slice(1).map(decodeURIComponent),
    headers: incoming.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

function send(outgoing: ServerResponse, { status = 200, headers = {}, body }: HostResponse): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  outgoing.writeHead(status, { 'content-type': type, ...headers });
  outgoing.end(status === 204 ? undefined : text);
}

/** Fields of a JSON or form body. */
export function fieldsOf({ text, headers }: HostRequest): URLSearchParams {
  if (!headers['content-type']?.includes('json')) return new URLSearchParams(text);
  const body: Record<string, unknown> = JSON.parse(text || '{}');
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) fields.set(name, String(value));
  return fields;
}

/** Most recently active first. */
export function byActivity(one: HostRepository, other: HostRepository): number {
  return one.activeAt < other.activeAt ? 1 : -1;
}
