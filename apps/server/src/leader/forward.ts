import { setTimeout as delay } from 'node:timers/promises';
import { type Context, Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { connectionOfRequest } from '../http/client.ts';
import { Problem } from '../http/problem.ts';
import { FORWARDED_HEADER, type ForwardingProofs } from './forwarding-proofs.ts';
import type { LeaderAddress } from './leader-address.ts';

export type ForwardDeps = {
  /** The services of this server, if it leads. */
  own(): Pick<Hono, 'fetch'> | undefined;
  leader(): Promise<LeaderAddress | undefined>;
  /** Of this server. */
  address: string;
  proofs: ForwardingProofs;
  /** Whether a request is a stream, which cannot be sent twice. */
  isStream(path: string): boolean;
  limits?: Partial<typeof LIMITS>;
};

/** `waitMs`: for a leader, when the last one has stopped. */
const LIMITS = { waitMs: 15_000, againMs: 250, answerMs: 45_000, proofMs: 5_000 };

/** A server that gets this asks for a proof that the other one leads. */
const CHALLENGE_HEADER = 'x-longshore-challenge';
/** In the response of the leader to a challenge. */
const LEADER_HEADER = 'x-longshore-leader';
/** In the response of a server that was asked as the leader, and is none. */
const NOT_LEADER = 'x-longshore-not-leader';
/** These are between two programs. The others name the origin and the host, which the forwarding server has checked. */
const NOT_FORWARDED = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'host',
  'origin',
  'x-forwarded-host',
];
/** The request has not arrived anywhere. */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Serves requests that only the leader can answer: here, or by the server that leads. */
export function createForwarding(deps: ForwardDeps): Hono {
  const { waitMs, againMs, answerMs, proofMs } = { ...LIMITS, ...deps.limits };
  const { proofs } = deps;
  /** The leader that has proved that it is one. Before that, it could be any program at an address that is used again. */
  let proved: LeaderAddress | undefined;
  const service = new Hono();
  service.all('*', async (context) => {
    const { method, raw } = context.req;
    const challenge = raw.headers.get(CHALLENGE_HEADER);
    const isLeader = deps.own() !== undefined;
    if (challenge !== null && isLeader) {
      return context.body(null, 204, {
        [LEADER_HEADER]: proofs.ofLeader(challenge, deps.address),
      });
    }
    if (isLeader) return await respondHere(context);
    const proof = raw.headers.get(FORWARDED_HEADER);
    if (challenge !== null || proofs.isOfRequest(proof, method, pathOf(raw))) {
      throw noLeader({ [NOT_LEADER]: 'true' });
    }
    return await forward(context);
  });
  return service;

  async function respondHere(context: Context): Promise<Response> {
    const response = await deps.own()?.fetch(context.req.raw, context.env);
    return response ?? (await forward(context));
  }

  async function forward(context: Context): Promise<Response> {
    const { raw } = context.req;
    const isStream = deps.isStream(context.req.path);
    const body = isStream ? raw.body : await bodyOf(raw);
    const until = performance.now() + waitMs;
    for (let formerTerm = 0; performance.now() < until; await delay(againMs)) {
      raw.signal.throwIfAborted();
      const leader = await deps.leader();
      if (leader === undefined || leader.term === formerTerm) continue;
      if (!(await hasProved(leader, context))) continue;
      // Its body is read, so this server cannot serve the request itself any more. If it leads now, it sends it to itself.
      const response = await send(leader.address, context, body);
      if (response instanceof Response) return response;
      proved = undefined;
      if (response === 'not-leader') formerTerm = leader.term;
      if (isStream) break;
    }
    throw noLeader();
  }

  async function hasProved(leader: LeaderAddress, { req }: Context): Promise<boolean> {
    if (proved?.term === leader.term) return true;
    const challenge = proofs.newChallenge();
    const signal = AbortSignal.any([req.raw.signal, AbortSignal.timeout(proofMs)]);
    const headers = { [CHALLENGE_HEADER]: challenge };
    // Each path that is forwarded answers a challenge.
    const url = `http://${leader.address}${new URL(req.url).pathname}`;
    try {
      const response = await fetch(url, { headers, redirect: 'manual', signal });
      const proof = response.headers.get(LEADER_HEADER) ?? '';
      await response.body?.cancel();
      if (!proofs.isOfLeader(proof, challenge, leader.address)) return false;
    } catch {
      req.raw.signal.throwIfAborted();
      return false;
    }
    proved = leader;
    return true;
  }

  async function send(
    address: string,
    context: Context,
    body: ArrayBuffer | ReadableStream | null,
  ): Promise<Response | 'not-leader' | 'not-reached'> {
    const { raw, path } = context.req;
    const target = pathOf(raw);
    const headers = new Headers(raw.headers);
    for (const name of NOT_FORWARDED) headers.delete(name);
    const { address: client = '', protocol = 'http' } = connectionOfRequest(context) ?? {};
    headers.set('x-forwarded-for', client);
    headers.set('x-forwarded-proto', protocol);
    headers.set(FORWARDED_HEADER, proofs.ofRequest(raw.method, target));
    const deadline = deps.isStream(path) ? [] : [AbortSignal.timeout(answerMs)];
    try {
      const response = await proxy(`http://${address}${target}`, {
        method: raw.method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([raw.signal, ...deadline]),
        ...(body === null ? {} : { body, duplex: 'half' }),
      });
      return response.headers.has(NOT_LEADER) ? 'not-leader' : response;
    } catch (error) {
      raw.signal.throwIfAborted();
      if (UNREACHED.has(codeOf(error)) || raw.method === 'GET') return 'not-reached';
      throw brokenOff();
    }
  }
}

/** With the query. */
function pathOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

async function bodyOf(request: Request): Promise<ArrayBuffer | null> {
  return request.body === null ? null : await request.arrayBuffer();
}

function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? '';
}

/** The change may have been made. */
function brokenOff(): Problem {
  return new Problem(
    503,
    'no-answer',
    'The server that runs the apps stopped answering. Check whether the change was made before you try again',
  );
}

function noLeader(headers: Record<string, string> = {}): Problem {
  return new Problem(
    503,
    'no-leader',
    'The server that runs the apps is changing. Try again in a few seconds',
    { headers: { 'retry-after': '5', ...headers } },
  );
}
