import { type IncomingMessage, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { RegistrySettings } from '../../../build/buildkit/buildkitd-config.ts';
import { EngineFailure } from '../../failure.ts';
import { basicAuth } from '../../source-credentials.ts';
import { tokenUrl } from '../resolve-image.ts';

export type OwnRegistry = NonNullable<RegistrySettings['registry']>;

export type RegistryRequest = {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  url: URL;
  headers?: Record<string, string>;
  body?: Buffer;
  signal: AbortSignal;
};

/** `size`: of all chunks together. */
export type RegistryUpload = Omit<RegistryRequest, 'body'> & {
  chunks: AsyncIterable<Uint8Array>;
  size: number;
};

export type RegistryResponse = {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
};

/** Requests to one repository of the operator's registry. The operator chose the registry, so it may be in a private network. */
export type RegistrySession = {
  /** The address of a path of the repository. */
  urlOf(path: string): URL;
  send(request: RegistryRequest): Promise<RegistryResponse>;
  /** The body is sent once, so a request before it must have signed in. */
  upload(request: RegistryUpload): Promise<RegistryResponse>;
};

const TIMEOUT_MS = 60_000;
const MAX_TEXT_BYTES = 1024 ** 2;
const Token = z.object({ token: z.string().optional(), access_token: z.string().optional() });

export function openRegistry(
  { host, isInsecure, credential }: OwnRegistry,
  repository: string,
): RegistrySession {
  const origin = `${isInsecure ? 'http' : 'https'}://${host}`;
  const basic =
    credential && `Basic ${basicAuth(credential.username, credential.password).reveal()}`;
  let authorization: string | undefined;

  /** Nothing secret for another host, to which a registry may redirect an upload. */
  function headersFor(url: URL, headers: Record<string, string> = {}) {
    const isOwn = url.origin === new URL(origin).origin;
    return isOwn && authorization !== undefined ? { ...headers, authorization } : headers;
  }

  async function signIn(challenge: string, signal: AbortSignal): Promise<string | undefined> {
    const address = tokenUrl(challenge, repository);
    if (address === undefined) return basic;
    const headers: Record<string, string> = basic === undefined ? {} : { authorization: basic };
    const response = await exchange({ method: 'GET', url: new URL(address), headers, signal });
    if (response.status !== 200) throw refusal(response.status);
    const { token, access_token } = Token.parse(JSON.parse(response.text));
    return `Bearer ${token ?? access_token ?? ''}`;
  }

  return {
    urlOf: (path) => new URL(`${origin}/v2/${repository}/${path}`),
    async send(request) {
      const { url, headers, signal } = request;
      const first = await exchange({ ...request, headers: headersFor(url, headers) });
      if (first.status !== 401) return first;
      authorization = await signIn(first.headers['www-authenticate'] ?? '', signal);
      return await exchange({ ...request, headers: headersFor(url, headers) });
    },
    async upload({ chunks, size, ...request }) {
      const { url, headers } = request;
      return await exchange({
        ...request,
        headers: { ...headersFor(url, headers), 'content-length': String(size) },
        chunks,
      });
    },
  };
}

/** A registry that does not take an image. The operator has to change that. */
export function refusal(status: number): EngineFailure {
  const evidence = `LONGSHORE_REGISTRY refused the image with the status ${status}`;
  return new EngineFailure('registry-unreachable', [evidence]);
}

type Exchange = RegistryRequest & { chunks?: AsyncIterable<Uint8Array> };

async function exchange(request: Exchange): Promise<RegistryResponse> {
  const { method, url, headers = {}, body, chunks, signal } = request;
  // An upload takes as long as its builder; each part of it has a deadline.
  const deadline = chunks === undefined ? [AbortSignal.timeout(TIMEOUT_MS)] : [];
  const bounded = AbortSignal.any([signal, ...deadline]);
  const open = url.protocol === 'https:' ? sendHttps : sendHttp;
  const sent = open(url, { method, headers, signal: bounded, timeout: TIMEOUT_MS });
  sent.on('timeout', () => sent.destroy(new Error('The registry does not respond')));
  const received = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  received.catch(() => {});
  try {
    if (chunks !== undefined) await pipeline(Readable.from(chunks), sent);
    else sent.end(body);
    const response = await received;
    const text = await textOf(response);
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  } catch (error) {
    sent.destroy();
    signal.throwIfAborted();
    throw error instanceof Error && isOfConnection(error) ? unreachable(error) : error;
  }
}

/** Errors of the source of an upload are not the registry's. */
function isOfConnection(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined || error.message === 'The registry does not respond';
}

function unreachable(cause: Error): EngineFailure {
  return new EngineFailure('registry-unreachable', ['LONGSHORE_REGISTRY does not respond'], {
    cause,
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes <= MAX_TEXT_BYTES) chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
