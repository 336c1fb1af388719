import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Address } from '../engines/engine.ts';
import type { IsTrustedProxy } from './client-address.ts';
import type { IngressErrorCode } from './error-responses.ts';
import type { InFlightRequests } from './in-flight-requests.ts';
import { connectToApp, type KeepAliveAgent } from './upstream-connections.ts';

const MAX_ATTEMPTS = 2;

export type UpstreamDeps = {
  keepAliveAgent: KeepAliveAgent;
  inFlight: InFlightRequests;
  inFlightPerTarget: number;
  /** Undefined: no proxy is trusted. */
  isTrustedProxy: IsTrustedProxy | undefined;
  /** Grows with each request, for round-robin over the targets. */
  nextRequestNumber(): number;
};

/** A request to an app. Of the last three callbacks exactly one is called, once, unless the request is aborted. */
export type UpstreamRequest = {
  targets: Address[];
  method: string;
  path: string;
  headers: string[];
  /** The request may be sent a second time if the first attempt got no response. */
  isRepeatable: boolean;
  isUpgrade: boolean;
  onOpen(outgoing: ClientRequest): void;
  onResponse(incoming: IncomingMessage): void;
  onUpgrade(
    incoming: IncomingMessage,
    tunnel: { socket: Socket; head: Buffer; target: Address },
  ): void;
  onFailure(code: IngressErrorCode): void;
};

/**
 * Sends the request to one target, and once more on a new connection if there was no response.
 * Returns a function that aborts the request.
 */
export function sendUpstream(deps: UpstreamDeps, request: UpstreamRequest): () => void {
  const requestNumber = deps.nextRequestNumber();
  let isDone = false;
  let outgoing: ClientRequest | undefined;

  /** Returns false if the request was already finished. */
  function finish(): boolean {
    const isFirst = !isDone;
    isDone = true;
    return isFirst;
  }

  function attempt(count: number): void {
    const target = findFreeTarget(deps, request.targets, requestNumber + count);
    if (target === undefined) {
      if (finish()) request.onFailure('busy');
      return;
    }
    const mayReuse = request.isRepeatable && !request.isUpgrade && count === 0;
    const options = requestOptions(request, target, mayReuse ? deps.keepAliveAgent : undefined);
    const sent = send(options, deps.inFlight.begin(target));
    outgoing = sent;
    sent.on('error', () => {
      if (isDone) return;
      if (request.isRepeatable && count + 1 < MAX_ATTEMPTS) attempt(count + 1);
      else if (finish()) request.onFailure('unreachable');
    });
    sent.on('response', (incoming) => {
      if (finish()) request.onResponse(incoming);
      else incoming.destroy();
    });
    sent.on('upgrade', (incoming, socket, head) => {
      const isFirst = finish();
      if (isFirst && request.isUpgrade) request.onUpgrade(incoming, { socket, head, target });
      else socket.destroy();
      if (isFirst && !request.isUpgrade) request.onFailure('unreachable');
    });
    request.onOpen(sent);
  }

  attempt(0);
  return () => {
    isDone = true;
    outgoing?.destroy();
  };
}

/** Round-robin over the targets, skipping those at their limit. */
function findFreeTarget(
  { inFlight, inFlightPerTarget }: UpstreamDeps,
  targets: Address[],
  startIndex: number,
): Address | undefined {
  for (let step = 0; step < targets.length; step += 1) {
    const target = targets[(startIndex + step) % targets.length];
    if (target !== undefined && inFlight.count(target) < inFlightPerTarget) return target;
  }
  return undefined;
}

/**
 * A request that cannot be repeated never uses a keep-alive connection: the app may be closing it at that moment,
 * and then it is unknown whether the app received the request.
 */
function requestOptions(
  { method, path, headers, isUpgrade }: UpstreamRequest,
  target: Address,
  agent: KeepAliveAgent | undefined,
): RequestOptions {
  const { host, port } = target;
  const options: RequestOptions = { host, port, method, path, headers };
  if (agent !== undefined) options.agent = agent;
  else options.createConnection = () => connectToApp(target, isUpgrade);
  return options;
}

function send(options: RequestOptions, endInFlight: () => void): ClientRequest {
  try {
    return httpRequest(options).on('close', endInFlight);
  } catch (error) {
    endInFlight();
    throw error;
  }
}
