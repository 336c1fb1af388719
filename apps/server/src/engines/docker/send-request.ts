import { type Agent, type IncomingMessage, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { DockerError, toEngineDown } from './docker-error.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

/** How the Engine is reached. */
export type DockerConnection = { agent: Agent; socketPath: string };

export type RequestOptions = {
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON; a stream of bytes as it is, with `headers` saying what it is. */
  body?: unknown;
  stream?: AsyncIterable<Uint8Array>;
  headers?: Record<string, string>;
  signal: AbortSignal;
};

const MAX_RESPONSE_BYTES = 64 * 1024 ** 2;

/** Answers what the Engine sends, once it has begun to. */
export async function sendRequest(
  line: DockerConnection,
  method: Method,
  path: string,
  options: RequestOptions,
): Promise<AsyncIterable<Buffer>> {
  const { signal } = options;
  try {
    const answer = await send(line, method, path, options);
    const { statusCode = 0 } = answer;
    if (statusCode < 400) return bytesOf(answer, signal);
    throw new DockerError(statusCode, messageOf(await readText(bytesOf(answer, signal))));
  } catch (error) {
    signal.throwIfAborted();
    throw toEngineDown(error);
  }
}

function send(
  line: DockerConnection,
  method: Method,
  path: string,
  { query = {}, body, stream, headers = {}, signal }: RequestOptions,
): Promise<IncomingMessage> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const asked = request({
      ...line,
      method,
      path: `${path}${queryOf(query)}`,
      headers: { host: 'docker', ...contentOf(json), ...headers },
      signal,
    });
    asked.once('response', resolve);
    // It may fail again after the answer has begun; whoever reads the answer is told.
    asked.on('error', reject);
    if (stream === undefined) asked.end(json);
    else pipeline(stream, asked).catch(reject);
  });
}

/** An answer that breaks off is aborted by us, or the Engine went down. */
async function* bytesOf(answer: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of answer) yield chunk as Buffer;
  } catch (error) {
    signal.throwIfAborted();
    throw toEngineDown(error);
  }
}

export async function readText(answer: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('The Docker Engine answered too much');
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
