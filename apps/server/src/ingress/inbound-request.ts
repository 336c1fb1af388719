import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AppDestination } from './destination.ts';
import type { IngressErrorCode } from './error-responses.ts';
import { forwardRequest } from './forward-request.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import { sendErrorResponse } from './send-error-response.ts';
import type { UpstreamDeps } from './upstream-request.ts';

/** A request or a websocket handshake from a client, and the ways to handle it. */
export type InboundRequest = {
  request: IncomingMessage;
  forward(destination: AppDestination): void;
  sendError(code: IngressErrorCode): void;
  /** The listener is called when the request or websocket has ended, for any reason. */
  onEnd(listener: () => void): void;
};

export function inboundHttp(
  deps: UpstreamDeps,
  request: IncomingMessage,
  response: ServerResponse,
): InboundRequest {
  return {
    request,
    forward: (destination) => forwardRequest(deps, request, response, destination),
    sendError: (code) => sendErrorResponse(request, response, code),
    onEnd: (listener) => void response.on('close', listener),
  };
}

export function inboundWebsocket(
  deps: UpstreamDeps,
  request: IncomingMessage,
  { socket, head }: { socket: Socket; head: Buffer },
): InboundRequest {
  const response = responseOnSocket(request, socket);
  return {
    request,
    forward: (to) => forwardUpgrade(deps, { request, socket, head, response }, to),
    sendError: (code) => sendErrorResponse(request, response, code),
    onEnd: (listener) => void socket.on('close', listener),
  };
}

/** A response for a failed handshake; it closes the connection. Node creates none for upgrade requests. */
function responseOnSocket(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('finish', () => socket.destroySoon());
  return response;
}
