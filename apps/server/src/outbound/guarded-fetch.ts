import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { addressProblem } from './address-problem.ts';
import { guardedLookup, type LookupDeps } from './guarded-lookup.ts';
import { nextHop } from './next-hop.ts';
import { OutboundFailure, type OutboundFetch, type OutboundRequest } from './outbound-fetch.ts';
import { type Hop, sendOnce } from './send-once.ts';

export type GuardedFetchDeps = {
  /** The operator allows plain `http://` and hosts of the private network. */
  allowLocal: boolean;
  /** Origins that the operator named: these may be in the private network in any case. */
  trusted?: readonly string[];
  /** All addresses of a host name. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  deadlineMs?: number;
  maxBytes?: number;
};

const DEADLINE_MS = 15_000;
const MAX_BYTES = 5_000_000;
const MAX_REDIRECTS = 5;
/** Shorter than servers keep a connection, so that none is used which is just being closed. */
const IDLE_MS = 4_000;

/**
 * The one way in which the server calls hosts that users name. A name is resolved once, when the connection is made,
 * and every address of it is looked at there: what was checked is what is called.
 */
export function createGuardedFetch(deps: GuardedFetchDeps): OutboundFetch {
  const { trusted = [], resolve, deadlineMs = DEADLINE_MS, maxBytes = MAX_BYTES } = deps;
  const strict = createAgents({ allowLocal: deps.allowLocal, resolve });
  const open = createAgents({ allowLocal: true, resolve });

  async function follow(hop: Hop, signal: AbortSignal, redirects = 0): Promise<Response> {
    const agents = trusted.includes(hop.url.origin) ? open : strict;
    const problem = addressProblem(hop.url, agents);
    if (problem !== undefined) throw new OutboundFailure('not-allowed', problem);
    const agent = hop.url.protocol === 'https:' ? agents.https : agents.http;
    const response = await sendOnce(hop, { agent, maxBytes, signal });
    const next = nextHop(hop, response);
    if (next === undefined) return response;
    if (redirects === MAX_REDIRECTS) {
      throw new OutboundFailure('redirected', 'It redirects too often');
    }
    return await follow(next, signal, redirects + 1);
  }

  return async (url, request = {}) => {
    const deadline = AbortSignal.timeout(deadlineMs);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    try {
      return await follow(firstHop(url, request), signal);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (deadline.aborted) {
        throw new OutboundFailure('too-slow', 'It did not answer in time', { cause: error });
      }
      if (error instanceof OutboundFailure) throw error;
      throw new OutboundFailure('unreachable', 'It cannot be reached', { cause: error });
    }
  };
}

/** Of its own each: a connection that somebody else made was not looked at. */
function createAgents(deps: LookupDeps) {
  const options = { keepAlive: true, timeout: IDLE_MS, lookup: guardedLookup(deps) };
  const { allowLocal } = deps;
  return { allowLocal, http: new HttpAgent(options), https: new HttpsAgent(options) };
}

function firstHop(url: string, { method = 'GET', headers = {}, body }: OutboundRequest): Hop {
  if (!URL.canParse(url)) throw new OutboundFailure('not-allowed', 'That is no address');
  return { url: new URL(url), method, headers, body };
}
