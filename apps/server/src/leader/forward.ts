import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Context, Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { connectionOfRequest } from '../http/client.ts';
import { Problem } from '../http/problem.ts';
import { Secret } from '../secrets/secret.ts';
import type { LeaderAddress } from './leader-address.ts';

export type ForwardDeps = {
  /** The services of this server, if it leads. */
  own(): Pick<Hono, 'fetch'> | undefined;
  leader(): Promise<LeaderAddress | undefined>;
  /** Proves to the leader that a server forwards the request. */
  proof: Secret;
  /** Whether a request is a stream, which cannot be sent twice. */
  isStream(path: string): boolean;
  limits?: Partial<typeof LIMITS>;
};

/** `waitMs`: for a leader, when the last one has stopped. */
const LIMITS = { waitMs: 15_000, againMs: 250, answerMs: 45_000 };

const PROOF = 'x-longshore-forwarded';
/** In the response of a server that was asked as the leader, and is none. */
const NOT_LEADER = 'x-longshore-not-leader';
/** The request has not arrived anywhere. */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Serves requests that only the leader can answer: here, or by the server that leads. */
export function createForwarding(deps: ForwardDeps): Hono {
  const { waitMs, againMs, answerMs } = { ...LIMITS, ...deps.limits };
  const service = new Hono();
  service.all('*', async (context) => {
    const response = await respondHere(context);
    if (response !== undefined) return response;
    if (isForwarded(context.req.raw.headers.get(PROOF), deps.proof)) {
      throw noLeader({ [NOT_LEADER]: 'true' });
    }
    return await forward(context);
  });
  return service;

  async function respondHere(context: Context): Promise<Response | undefined> {
    return await deps.own()?.fetch(context.req.raw, context.env);
  }

  async function forward(context: Context): Promise<Response> {
    const { raw } = context.req;
    const isStream = deps.isStream(context.req.path);
    const body = isStream ? raw.body : await bodyOf(raw);
    const until = performance.now() + waitMs;
    for (let failedTerm = 0; performance.now() < until; await delay(againMs)) {
      raw.signal.throwIfAborted();
      const leader = await deps.leader();
      if (leader === undefined || leader.term === failedTerm) continue;
      const response = await send(leader.address, context, body);
      if (response !== undefined) return response;
      if (isStream) break;
      failedTerm = leader.term;
      // The body was read, so this server can no longer serve the request itself: it forwards it to its own address.
    }
    throw noLeader();
  }

  /** Undefined: this is no leader any more. */
  async function send(
    address: string,
    context: Context,
    body: ArrayBuffer | ReadableStream | null,
  ): Promise<Response | undefined> {
    const { raw, path } = context.req;
    const { search } = new URL(raw.url);
    const headers = new Headers(raw.headers);
    // The sender answers for the origin; the leader sees its own address as the host.
    for (const name of ['host', 'origin', 'content-length', 'x-forwarded-host']) {
      headers.delete(name);
    }
    const { address: client = '', protocol = 'http' } = connectionOfRequest(context) ?? {};
    headers.set('x-forwarded-for', client);
    headers.set('x-forwarded-proto', protocol);
    headers.set(PROOF, deps.proof.reveal());
    const deadline = deps.isStream(path) ? [] : [AbortSignal.timeout(answerMs)];
    try {
      const response = await proxy(`http://${address}${path}${search}`, {
        method: raw.method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([raw.signal, ...deadline]),
        ...(body === null ? {} : { body, duplex: 'half' }),
      });
      return response.headers.has(NOT_LEADER) ? undefined : response;
    } catch (error) {
      raw.signal.throwIfAborted();
      if (UNREACHED.has(codeOf(error)) || raw.method === 'GET') return undefined;
      throw noLeader();
    }
  }
}

/** Who sent a request that another server forwarded, which names the client. */
export function isForwardedRequest(proof: Secret): (request: IncomingMessage) => boolean {
  return ({ headers }) => isForwarded(headers[PROOF], proof);
}

/** The same on all servers of an installation. */
export function forwardingProof(masterKey: Secret): Secret {
  return new Secret(
    createHmac('sha256', masterKey.reveal()).update('longshore forwarded request').digest('hex'),
  );
}

function isForwarded(given: string | string[] | null | undefined, proof: Secret): boolean {
  return typeof given === 'string' && proof.equals(given);
}

async function bodyOf(request: Request): Promise<ArrayBuffer | null> {
  return request.body === null ? null : await request.arrayBuffer();
}

function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? '';
}

function noLeader(headers: Record<string, string> = {}): Problem {
  return new Problem(
    503,
    'no-leader',
    'The server that runs the apps is changing. Try again in a few seconds',
    { headers: { 'retry-after': '5', ...headers } },
  );
}
