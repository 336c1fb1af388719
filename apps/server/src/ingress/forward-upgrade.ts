import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientOf } from './client-address.ts';
import type { AppDestination } from './destination.ts';
import type { IngressErrorCode } from './error-responses.ts';
import { requestHeaders, responseHeaders } from './forwarded-headers.ts';
import { LIMITS } from './limits.ts';
import { relayResponse } from './relay-response.ts';
import { sendErrorResponse } from './send-error-response.ts';
import { sendUpstream, type UpstreamDeps } from './upstream-request.ts';

/** `response` is used if the handshake fails. */
export type Handshake = {
  request: IncomingMessage;
  socket: Socket;
  head: Buffer;
  response: ServerResponse;
};

type TunnelEnd = { socket: Socket; head: Buffer };

/** Forwards a websocket handshake to an app; when the app accepts it, the two connections are piped together. */
export function forwardUpgrade(
  deps: UpstreamDeps,
  handshake: Handshake,
  destination: AppDestination,
): void {
  const { request, socket, head, response } = handshake;
  const { authority, path, targets, framing } = destination;
  const client = clientOf(request, deps.isTrustedProxy);
  const { rawHeaders } = request;
  const forwarded = { method: 'GET', rawHeaders, authority, client, framing };
  const fail = (code: IngressErrorCode) => sendErrorResponse(request, response, code);
  const abort = sendUpstream(deps, {
    targets,
    path,
    method: 'GET',
    headers: [...requestHeaders(forwarded), 'Connection', 'Upgrade', 'Upgrade', 'websocket'],
    isRepeatable: true,
    isUpgrade: true,
    onOpen: (outgoing) => outgoing.end(),
    onResponse: (incoming) => relayResponse(incoming, response, fail),
    onUpgrade(incoming, app) {
      response.detachSocket(socket);
      socket.write(switchingProtocolsHead(incoming.rawHeaders), 'latin1');
      joinSockets({ socket, head }, app, deps.inFlight.begin(app.target));
    },
    onFailure: fail,
  });
  response.on('close', abort);
}

function switchingProtocolsHead(rawHeaders: readonly string[]): string {
  const headers = responseHeaders(rawHeaders);
  let head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  for (let index = 0; index < headers.length; index += 2) {
    head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  }
  return `${head}\r\n`;
}

/** Pipes two connections into each other with backpressure. One direction may end before the other. */
function joinSockets(client: TunnelEnd, app: TunnelEnd, onClosed: () => void): void {
  pipeOneWay(client, app);
  pipeOneWay(app, client);
  let openSockets = 2;
  for (const { socket } of [client, app]) {
    socket.on('close', () => {
      openSockets -= 1;
      if (openSockets === 0) onClosed();
    });
  }
}

function pipeOneWay(from: TunnelEnd, to: TunnelEnd): void {
  from.socket.setTimeout(LIMITS.websocketIdleMs, () => from.socket.destroy());
  // An error is always followed by a close, which is handled below.
  from.socket.on('error', () => {});
  from.socket.on('end', () => {
    from.socket.setTimeout(LIMITS.halfClosedMs);
    to.socket.setTimeout(LIMITS.halfClosedMs);
  });
  from.socket.on('close', () => to.socket.destroySoon());
  if (from.head.length > 0) to.socket.write(from.head);
  from.socket.pipe(to.socket);
}
