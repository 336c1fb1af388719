import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { guardedLookup, type LookupDeps } from './guarded-lookup.ts';
import { OutboundFailure, type OutboundFetch, type OutboundRequest } from './outbound-fetch.ts';
import { type Hop, sendOnce } from './send-once.ts';
import { urlProblem } from './url-problem.ts';

export type GuardedFetchDeps = {
  /** The operator allows plain `http://` and hosts of the private network. */
  allowLocal: boolean;
  /** Origins configured by the operator: these may be in the private network in any case. */
  trusted?: readonly string[];
  /** All addresses of a host name. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  timeoutMs?: number;
  maxBytes?: number;
};

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 5_000_000;
const MAX_REDIRECTS = 5;
/** Shorter than the keep-alive timeout of common servers, so that no connection is used while it is being closed. */
const IDLE_MS = 4_000;

const REDIRECT_STATUSES = [301, 302, 303, 307, 308];
const READ_METHODS = ['GET', 'HEAD'];
const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'private-token', 'proxy-authorization'];

/**
 * Sends all requests of the server to hosts that users choose. A host name is resolved once, when the connection is
 * made, and all its addresses are checked there, so DNS cannot return another address between check and use.
 */
export function createGuardedFetch(deps: GuardedFetchDeps): OutboundFetch {
  const { trusted = [], resolve, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = deps;
  const defaultAgents = createAgents({ allowLocal: deps.allowLocal, resolve });
  const trustedAgents = createAgents({ allowLocal: true, resolve });

  async function follow(hop: Hop, signal: AbortSignal, redirects = 0): Promise<Response> {
    const agents = trusted.includes(hop.url.origin) ? trustedAgents : defaultAgents;
    const problem = urlProblem(hop.url, agents);
    if (problem !== undefined) throw new OutboundFailure('not-allowed', problem);
    const agent = hop.url.protocol === 'https:' ? agents.https : agents.http;
    const response = await sendOnce(hop, { agent, maxBytes, signal });
    const next = nextHop(hop, response);
    if (next === undefined) return response;
    if (redirects === MAX_REDIRECTS) {
      throw new OutboundFailure('redirected', 'Too many redirects');
    }
    return await follow(next, signal, redirects + 1);
  }

  return async (url, request = {}) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    try {
      return await follow(firstHop(url, request), signal);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (timeout.aborted) {
        throw new OutboundFailure('too-slow', 'The host did not respond in time', { cause: error });
      }
      if (error instanceof OutboundFailure) throw error;
      throw new OutboundFailure('unreachable', 'The host is unreachable', { cause: error });
    }
  };
}

/** Agents are never shared between the two policies: a pooled connection is not checked again. */
function createAgents(deps: LookupDeps) {
  const options = { keepAlive: true, timeout: IDLE_MS, lookup: guardedLookup(deps) };
  const { allowLocal } = deps;
  return { allowLocal, http: new HttpAgent(options), https: new HttpsAgent(options) };
}

function firstHop(url: string, { method = 'GET', headers = {}, body }: OutboundRequest): Hop {
  if (!URL.canParse(url)) throw new OutboundFailure('not-allowed', 'The URL is invalid');
  return { url: new URL(url), method, headers, body };
}

/**
 * The next request if the response is a redirect. Only GET and HEAD are redirected: a body may contain secrets.
 * Credentials are not sent to another origin.
 */
function nextHop(hop: Hop, response: Response): Hop | undefined {
  const location = response.headers.get('location');
  if (!REDIRECT_STATUSES.includes(response.status) || location === null) return undefined;
  if (!READ_METHODS.includes(hop.method) || hop.body !== undefined) {
    throw new OutboundFailure('redirected', `A ${hop.method} request was redirected`);
  }
  if (!URL.canParse(location, hop.url.href)) {
    throw new OutboundFailure('redirected', 'The redirect has an invalid location');
  }
  const url = new URL(location, hop.url);
  const isSameOrigin = url.origin === hop.url.origin;
  return { ...hop, url, headers: isSameOrigin ? hop.headers : withoutCredentials(hop.headers) };
}

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.filter(([name]) => !CREDENTIAL_HEADERS.includes(name.toLowerCase())),
  );
}
