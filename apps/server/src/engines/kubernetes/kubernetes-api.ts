import type { IncomingMessage, RequestOptions } from 'node:http';
import { type ClientOptions, WebSocket } from 'ws';
import { EngineFailure } from '../failure.ts';
import { clusterDown, KubernetesError } from './kubernetes-error.ts';
import { quotaFailure } from './quota.ts';
import { type ApiResponse, createTransport } from './transport.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** How the server reaches the API server, and who it is there. Asked again and again, because tokens expire. */
export type ClusterAccess = { server: string; authorize(options: RequestOptions): Promise<void> };

export type ApiRequest = {
  query?: Record<string, string | number | boolean | undefined>;
  body?: object;
  /** The kind of a PATCH: a merge with what exists, unless it is the desired state of our fields. */
  patch?: 'merge' | 'apply';
  signal: AbortSignal;
};

/** The API of a cluster. */
export type KubernetesApi = {
  call<Result>(method: Method, path: string, request: ApiRequest): Promise<Result>;
  /** The body of a response that may never end. */
  follow(path: string, request: ApiRequest): Promise<AsyncIterable<Buffer>>;
  /** A websocket, as for programs that are started in a container. Paused: it reads nothing before somebody listens. */
  connect(path: string, request: SocketRequest): Promise<WebSocket>;
};

/** `parameters`: of the query; a name may occur several times. */
export type SocketRequest = {
  parameters: [name: string, value: string][];
  protocol: string;
  signal: AbortSignal;
};

const TIMEOUT_MS = 30_000;
/** Tokens live longer, and a start has thousands of requests: the access is read from files. */
const ACCESS_MS = 5_000;
const UNAUTHORIZED = 401;
/** The manager of the fields that server-side apply sets. */
const FIELD_MANAGER = 'longshore';
const CONTENT_TYPES = {
  merge: 'application/merge-patch+json',
  // JSON is YAML.
  apply: 'application/apply-patch+yaml',
};

export function createKubernetesApi({ server, authorize }: ClusterAccess): KubernetesApi {
  const sendRequest = createTransport(new URL(server));
  let access: Promise<RequestOptions> | undefined;
  let accessUntil = 0;

  function currentAccess(): Promise<RequestOptions> {
    if (access !== undefined && performance.now() < accessUntil) return access;
    const options: RequestOptions = { headers: {} };
    const read = authorize(options).then(() => options);
    read.catch(forgetAccess);
    access = read;
    accessUntil = performance.now() + ACCESS_MS;
    return read;
  }

  function forgetAccess(): void {
    access = undefined;
  }

  async function send(method: Method, path: string, request: ApiRequest): Promise<ApiResponse> {
    const { query = {}, body, patch = 'merge', signal } = request;
    const url = new URL(server.replace(/\/$/, '') + path);
    const fields =
      patch === 'apply' && method === 'PATCH' ? { fieldManager: FIELD_MANAGER, force: true } : {};
    for (const [name, value] of Object.entries({ ...fields, ...query })) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const contentType = method === 'PATCH' ? CONTENT_TYPES[patch] : 'application/json';
    const { headers: proof, ...tls } = await currentAccess();
    const headers = { accept: 'application/json', 'content-type': contentType, ...proof };
    const options: RequestOptions = { ...tls, method, headers, signal };
    const content = body === undefined ? undefined : JSON.stringify(body);
    try {
      const response = await sendRequest(url, { options, body: content, signal });
      if (response.status === UNAUTHORIZED) forgetAccess();
      return response;
    } catch (error) {
      signal.throwIfAborted();
      throw clusterDown(error);
    }
  }

  return {
    async call<Result>(method: Method, path: string, request: ApiRequest): Promise<Result> {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const signal = AbortSignal.any([request.signal, timeout]);
      try {
        const response = await send(method, path, { ...request, signal });
        const text = await textOf(response.body);
        if (isError(response)) throw toError(response.status, text);
        return JSON.parse(text) as Result;
      } catch (error) {
        request.signal.throwIfAborted();
        throw timeout.aborted ? clusterDown(error) : error;
      }
    },
    async follow(path, request) {
      const response = await send('GET', path, request);
      if (isError(response)) throw toError(response.status, await textOf(response.body));
      return checkedBody(response, request.signal);
    },
    async connect(path, { parameters, protocol, signal }) {
      const url = new URL(server.replace(/\/$/, '').replace(/^http/, 'ws') + path);
      for (const [name, value] of parameters) url.searchParams.append(name, value);
      const options = await currentAccess();
      signal.throwIfAborted();
      const settings = { ...options, handshakeTimeout: TIMEOUT_MS };
      const socket = new WebSocket(url, [protocol], settings as ClientOptions);
      try {
        await opened(socket, signal);
        return socket;
      } catch (error) {
        socket.on('error', () => {}).terminate();
        signal.throwIfAborted();
        const isAnswer = error instanceof KubernetesError || error instanceof EngineFailure;
        throw isAnswer ? error : clusterDown(error);
      }
    },
  };
}

function opened(socket: WebSocket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    socket.once('open', () => {
      signal.removeEventListener('abort', abort);
      socket.pause();
      resolve();
    });
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      const { statusCode = 0 } = response;
      textOf(response).then((text) => reject(toError(statusCode, text)), reject);
    });
  });
}

/** A connection that breaks is a cluster that does not respond. Not a generator: see `Http2Body`. */
function checkedBody({ body }: ApiResponse, signal: AbortSignal): AsyncIterable<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  const fail = (error: unknown) => {
    signal.throwIfAborted();
    throw clusterDown(error);
  };
  const iterator: AsyncIterator<Buffer> = {
    next: () => chunks.next().catch(fail),
    return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function isError({ status }: ApiResponse): boolean {
  return status < 200 || status > 299;
}

function toError(status: number, text: string): Error {
  const message = messageIn(text) ?? text;
  return quotaFailure(message) ?? new KubernetesError(status, message);
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { message?: string }).message;
  } catch {
    return undefined;
  }
}
