import { type Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { DockerError, toEngineDown } from './docker-error.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A connection to the Docker socket. */
export type DockerConnection = { agent: Agent; socketPath: string };

export type RequestOptions = {
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. A `stream` is sent unchanged, with its content type in `headers`. */
  body?: unknown;
  stream?: AsyncIterable<Uint8Array>;
  headers?: Record<string, string>;
  signal: AbortSignal;
};

const MAX_RESPONSE_BYTES = 64 * 1024 ** 2;

/** Returns the response body as soon as the headers have arrived. */
export async function sendRequest(
  connection: DockerConnection,
  method: Method,
  path: string,
  options: RequestOptions,
): Promise<AsyncIterable<Buffer>> {
  const { signal } = options;
  try {
    const response = await send(connection, method, path, options);
    const { statusCode = 0 } = response;
    if (statusCode < 400) return bytesOf(response, signal);
    throw new DockerError(statusCode, messageOf(await readText(bytesOf(response, signal))));
  } catch (error) {
    signal.throwIfAborted();
    throw toEngineDown(error);
  }
}

function send(
  connection: DockerConnection,
  method: Method,
  path: string,
  { query = {}, body, stream, headers = {}, signal }: RequestOptions,
): Promise<IncomingMessage> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const clientRequest = request({
      ...connection,
      method,
      path: `${path}${queryOf(query)}`,
      headers: { host: 'docker', ...contentOf(json), ...headers },
      signal,
    });
    clientRequest.once('response', resolve);
    // It may fail again after the response has begun; the reader of the response gets that error.
    clientRequest.on('error', reject);
    if (stream === undefined) clientRequest.end(json);
    else pipeline(stream, clientRequest).catch(reject);
  });
}

/** Docker hands over the connection: from then on it carries the streams of a program in both directions. */
export async function hijack(
  connection: DockerConnection,
  path: string,
  { body, signal }: { body: unknown; signal: AbortSignal },
): Promise<Socket> {
  const json = JSON.stringify(body);
  try {
    return await new Promise((resolve, reject) => {
      const headers = { host: 'docker', connection: 'Upgrade', upgrade: 'tcp', ...contentOf(json) };
      // Not from the pool of kept connections: this one is used up.
      const options = { socketPath: connection.socketPath, method: 'POST', path, headers, signal };
      const clientRequest = request({ ...options, agent: false });
      clientRequest.once('upgrade', (_, socket: Socket, head) => {
        if (head.length > 0) socket.unshift(head);
        // The signal of the request no longer applies.
        const stop = () => socket.destroy();
        signal.addEventListener('abort', stop, { once: true });
        socket.once('close', () => signal.removeEventListener('abort', stop));
        resolve(socket);
      });
      clientRequest.once('response', (response) => {
        const { statusCode = 0 } = response;
        readText(bytesOf(response, signal)).then(
          (text) => reject(new DockerError(statusCode, messageOf(text))),
          reject,
        );
      });
      clientRequest.on('error', reject);
      clientRequest.end(json);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw toEngineDown(error);
  }
}

/** A response that breaks off was aborted, or Docker went down. */
async function* bytesOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of response) yield chunk as Buffer;
  } catch (error) {
    signal.throwIfAborted();
    throw toEngineDown(error);
  }
}

export async function readText(response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('The response of Docker is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function contentOf(json: string | undefined): Record<string, string> {
  if (json === undefined) return {};
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(json)),
  };
}

function queryOf(query: NonNullable<RequestOptions['query']>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

function messageOf(text: string): string {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message ?? text);
  } catch {
    return text;
  }
}
