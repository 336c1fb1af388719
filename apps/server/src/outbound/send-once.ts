import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { OutboundFailure } from './outbound-fetch.ts';

/** One request in a chain of redirects. */
export type Hop = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
};

export type SendOptions = { agent: Agent; maxBytes: number; signal: AbortSignal };

/** Sends one request and reads the whole response. Redirects are not followed. */
export async function sendOnce(hop: Hop, options: SendOptions): Promise<Response> {
  const incoming = await request(hop, options);
  const body = await readAll(incoming, options.maxBytes);
  const { statusCode: status = 0 } = incoming;
  if (status < 200 || status > 599)
    throw new OutboundFailure('unreachable', `Unexpected status ${status}`);
  const isEmpty = [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : body, { status, headers: headersOf(incoming) });
}

function request(hop: Hop, { agent, signal }: SendOptions): Promise<IncomingMessage> {
  const { url, method, body } = hop;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const headers = { ...hop.headers, ...length };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { agent, method, headers, signal }, resolve);
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

async function readAll(
  incoming: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) throw new OutboundFailure('too-large', 'The response is too large');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
}
