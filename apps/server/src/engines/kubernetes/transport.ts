import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as sendHttp,
} from 'node:http';
import { type ClientHttp2Stream, constants } from 'node:http2';
import { Agent as HttpsAgent, request as sendHttps } from 'node:https';
import {
  createHttp2Connections,
  type Http2Timeouts,
  type TlsOptions,
} from './http2-connections.ts';

export type ApiResponse = { status: number; body: AsyncIterable<Buffer> };

/** `options`: with the access to the cluster. */
export type TransportRequest = {
  options: RequestOptions & TlsOptions;
  body: string | undefined;
  signal: AbortSignal;
};

/** Sends a request. Rejects, as the body does, when the connection breaks. */
export type Transport = (url: URL, request: TransportRequest) => Promise<ApiResponse>;

const ATTEMPTS = 3;
const KEEP_ALIVE_MS = 15_000;
const UNSENT = ['ERR_HTTP2_INVALID_SESSION', 'ERR_HTTP2_GOAWAY_SESSION'];

/**
 * Over HTTP/2, where a connection serves many requests: watches and logs are requests that never end. Over HTTP/1.1 without TLS, through
 * a proxy, and to a server that does not offer HTTP/2.
 */
export function createTransport(server: URL, timeouts?: Http2Timeouts): Transport {
  const connections = createHttp2Connections(server, timeouts);
  let hasHttp2 = server.protocol === 'https:';
  let authorization: string | undefined;

  /** Each request keeps its headers until it ends, so the same long text must not exist once per request. */
  function shared(headers: Record<string, string>): Record<string, string> {
    const [name] = Object.keys(headers).filter((it) => it.toLowerCase() === 'authorization');
    if (name === undefined) return headers;
    if (headers[name] !== authorization) authorization = headers[name];
    return authorization === undefined ? headers : { ...headers, [name]: authorization };
  }

  async function overHttp2(url: URL, request: TransportRequest): Promise<ApiResponse | undefined> {
    const { options, body, signal } = request;
    const headers = {
      ...shared(options.headers as Record<string, string>),
      ...basicAuthorization(options.auth),
      ':method': options.method,
      ':path': copyOf(url.pathname + url.search),
    };
    const hasBody = body !== undefined;
    for (let attempt = 1; ; attempt += 1) {
      let stream: ClientHttp2Stream | undefined;
      try {
        stream = await connections.request(headers, { tls: options, hasBody, signal });
        return stream && (await http2Response(stream, body));
      } catch (error) {
        signal.throwIfAborted();
        if (attempt === ATTEMPTS || !isUnprocessed(stream, error)) throw error;
      }
    }
  }

  return async (url, request) => {
    if (hasHttp2 && !usesProxy(request.options)) {
      const response = await overHttp2(url, request);
      if (response !== undefined) return response;
      hasHttp2 = false;
    }
    const send = url.protocol === 'https:' ? sendHttps : sendHttp;
    const sent = send(url, request.options);
    // There are no pings: a watch would not notice a connection that breaks silently.
    sent.setSocketKeepAlive(true, KEEP_ALIVE_MS);
    const response = await http1Response(sent, request.body);
    return { status: response.statusCode ?? 0, body: response };
  };
}

/** Each request keeps its path until it ends. The parts of a URL would keep all texts that the URL was made from. */
function copyOf(path: string): string {
  return Buffer.from(path).toString();
}

/** Proxies have agents of their own. */
function usesProxy({ agent }: RequestOptions): boolean {
  if (agent === undefined || typeof agent === 'boolean') return false;
  const prototype: unknown = Object.getPrototypeOf(agent);
  return prototype !== HttpAgent.prototype && prototype !== HttpsAgent.prototype;
}

function basicAuthorization(auth: string | null | undefined): Record<string, string> {
  if (auth === undefined || auth === null) return {};
  return { authorization: `Basic ${Buffer.from(auth).toString('base64')}` };
}

/** Whether the server has not begun with a request, as when it shuts down: it can be sent again. */
function isUnprocessed(stream: ClientHttp2Stream | undefined, error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM || UNSENT.includes(code);
}

function http2Response(stream: ClientHttp2Stream, body: string | undefined): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The connection was closed'));
    stream.once('response', (headers) => {
      stream.off('error', reject).off('close', fail);
      resolve({ status: Number(headers[':status']), body: new Http2Body(stream) });
    });
    stream.on('error', reject);
    stream.once('close', fail);
    if (body !== undefined) stream.end(body);
  });
}

/** Neither a generator nor the iterator of streams, which need several times the memory: there is one for each log that is followed. */
class Http2Body implements AsyncIterableIterator<Buffer> {
  readonly #stream: ClientHttp2Stream;
  #isClosed: boolean;
  #error: unknown;
  #wake: (() => void) | undefined;

  constructor(stream: ClientHttp2Stream) {
    this.#stream = stream;
    this.#isClosed = stream.closed;
    const wake = () => this.#wake?.();
    stream.on('readable', wake);
    stream.once('close', () => {
      this.#isClosed = true;
      wake();
    });
    stream.on('error', (error) => {
      this.#error ??= error;
    });
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    for (;;) {
      const value = this.#stream.read() as Buffer | null;
      if (value !== null) return { done: false, value };
      if (this.#isClosed) return this.#end();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<Buffer, undefined>> {
    this.#stream.destroy();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** A stream that is aborted ends like one that is complete. */
  #end(): { done: true; value: undefined } {
    const isComplete = this.#stream.rstCode === constants.NGHTTP2_NO_ERROR;
    if (this.#error !== undefined) throw this.#error;
    if (!isComplete) throw new Error('The connection was closed');
    return { done: true, value: undefined };
  }
}

function http1Response(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
    request.end(body);
  });
}
