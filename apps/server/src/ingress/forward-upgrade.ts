import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerNotice } from './answer-notice.ts';
import { type AskAppDeps, askApp } from './ask-app.ts';
import type { ToApp } from './destination.ts';
import { joinSockets } from './join-sockets.ts';
import { relayResponse } from './relay-response.ts';
import { requestHeaders } from './request-headers.ts';
import { responseHeaders } from './response-headers.ts';
import { visitorOf } from './visitor.ts';

/** `response` is for the case that no websocket comes about. */
export type Handshake = {
  request: IncomingMessage;
  socket: Socket;
  head: Buffer;
  response: ServerResponse;
};

/** Passes a websocket handshake to an app; when it agrees, the two connections become one. */
export function forwardUpgrade(deps: AskAppDeps, handshake: Handshake, destination: ToApp): void {
  const { request, socket, head, response } = handshake;
  const { authority, path, targets, framing } = destination;
  const visitor = visitorOf(request, deps.isTrusted);
  const { rawHeaders } = request;
  const forwarded = { method: 'GET', rawHeaders, authority, visitor, framing };
  const refuse = answerNotice.bind(undefined, request, response);
  const giveUp = askApp(deps, {
    targets,
    path,
    method: 'GET',
    headers: [...requestHeaders(forwarded), 'Connection', 'Upgrade', 'Upgrade', 'websocket'],
    isRepeatable: true,
    isUpgrade: true,
    opened: (outgoing) => outgoing.end(),
    answered: (incoming) => relayResponse(incoming, response, refuse),
    upgraded(incoming, app) {
      response.detachSocket(socket);
      socket.write(switchingHead(incoming.rawHeaders), 'latin1');
      joinSockets({ socket, head }, app, deps.use.begin(app.target));
    },
    failed: refuse,
  });
  response.on('close', giveUp);
}

function switchingHead(rawHeaders: readonly string[]): string {
  const headers = responseHeaders(rawHeaders);
  let head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  for (let index = 0; index < headers.length; index += 2) {
    head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  }
  return `${head}\r\n`;
}
