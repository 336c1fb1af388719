import type { KeyObject } from 'node:crypto';
import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import { FlattenedSign, type JWSHeaderParameters } from 'jose';
import { z } from 'zod';
import { sendOnce } from '../../outbound/send-once.ts';
import { AcmeProblem, parseRetryAfter, toAcmeProblem } from './acme-problem.ts';

/** Sends one request and reads the response. Redirects are not followed. */
export type AcmeSend = (request: AcmeRequest, signal: AbortSignal) => Promise<Response>;

type AcmeRequest = {
  url: URL;
  method: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  body: string | undefined;
};

/** How the account signs: by its URL, or by its public key as long as it has none. */
export type Signer = {
  key: KeyObject;
  identity: { kid: string } | { jwk: NonNullable<JWSHeaderParameters['jwk']> };
};

export type SignedRequests = {
  directory(signal: AbortSignal): Promise<Directory>;
  /** `payload` undefined: reads the URL (RFC 8555, 6.3). Throws an `AcmeProblem`. */
  post(url: string, payload: object | undefined, options: PostOptions): Promise<Response>;
};

type PostOptions = { signer: Signer; signal: AbortSignal };

type Directory = z.infer<typeof Directory>;

const Directory = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
});

const Problem = z.object({
  type: z.string().optional(),
  detail: z.string().optional(),
  subproblems: z
    .array(z.object({ type: z.string().optional(), detail: z.string().optional() }))
    .optional(),
});

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1_000_000;
/** An authority may reject any nonce, and sends a new one with the rejection. */
const MAX_NONCE_REJECTIONS = 12;
const MAX_NONCES = 10;
const USER_AGENT = 'longshore';

/** `ca`: PEM of further authorities that may have signed the server's own certificate. */
export function createAcmeSend(ca: string | undefined): AcmeSend {
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  // Without keep-alive: orders are rare, and a pooled connection may be closed when it is used next.
  const agent = new Agent({ keepAlive: false, ...trusted });
  return (request, signal) => sendOnce(request, { agent, maxBytes: MAX_BYTES, signal });
}

export function createSignedRequests({
  directoryUrl,
  send,
  now,
}: {
  directoryUrl: string;
  send: AcmeSend;
  now(): number;
}): SignedRequests {
  const nonces: string[] = [];
  let known: Directory | undefined;

  async function request(
    method: AcmeRequest['method'],
    url: string,
    { body, signal }: { body?: string; signal: AbortSignal },
  ): Promise<Response> {
    const headers = {
      'user-agent': USER_AGENT,
      ...(body !== undefined && { 'content-type': 'application/jose+json' }),
    };
    const deadline = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await send(
        { url: new URL(url), method, headers, body },
        AbortSignal.any([signal, deadline]),
      );
      const nonce = response.headers.get('replay-nonce');
      if (nonce !== null && nonces.length < MAX_NONCES) nonces.push(nonce);
      return response;
    } catch (error) {
      signal.throwIfAborted();
      throw new AcmeProblem('unreachable', unreachableText(error, deadline), { cause: error });
    }
  }

  async function directory(signal: AbortSignal): Promise<Directory> {
    if (known !== undefined) return known;
    const response = await request('GET', directoryUrl, { signal });
    if (!response.ok) throw await problemOf(response);
    known = await readJson(response, Directory);
    return known;
  }

  async function takeNonce(signal: AbortSignal): Promise<string> {
    const nonce = nonces.pop();
    if (nonce !== undefined) return nonce;
    const response = await request('HEAD', (await directory(signal)).newNonce, { signal });
    if (!response.ok) throw await problemOf(response);
    const fresh = nonces.pop();
    if (fresh === undefined) throw new AcmeProblem('malformed', 'No nonce in the response');
    return fresh;
  }

  async function problemOf(response: Response): Promise<AcmeProblem> {
    const body: unknown = await response.json().catch(() => undefined);
    const { status, headers } = response;
    const retryAfterMs = parseRetryAfter(headers.get('retry-after'), now());
    return toAcmeProblem(Problem.safeParse(body).data ?? {}, { status, retryAfterMs });
  }

  return {
    directory,
    async post(url, payload, { signer, signal }) {
      for (let rejections = 0; ; rejections += 1) {
        const nonce = await takeNonce(signal);
        const body = await sign(payload, { ...signer, header: { nonce, url } });
        const response = await request('POST', url, { body, signal });
        if (response.ok) return response;
        const problem = await problemOf(response);
        if (problem.type !== 'badNonce' || rejections === MAX_NONCE_REJECTIONS) throw problem;
      }
    },
  };
}

async function sign(
  payload: object | undefined,
  { key, identity, header }: Signer & { header: object },
): Promise<string> {
  const text = payload === undefined ? '' : JSON.stringify(payload);
  const signed = await new FlattenedSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'ES256', ...identity, ...header })
    .sign(key);
  return JSON.stringify(signed);
}

export async function readJson<T>(response: Response, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw new AcmeProblem('malformed', 'Unexpected response', { cause: parsed.error });
}

function unreachableText(error: unknown, deadline: AbortSignal): string {
  if (deadline.aborted) return 'No response in time';
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
