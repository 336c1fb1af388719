import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerNotice } from './answer-notice.ts';
import type { AskAppDeps } from './ask-app.ts';
import { forwardRequest } from './forward-request.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import type { Visit } from './visit.ts';

export function requestVisit(
  deps: AskAppDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Visit {
  return {
    request,
    forward: (destination) => forwardRequest(deps, request, response, destination),
    answer: (notice) => answerNotice(request, response, notice),
    onEnd: (listener) => void response.on('close', listener),
  };
}

/** A websocket handshake. Node no longer looks after its socket. */
export function upgradeVisit(
  deps: AskAppDeps,
  request: IncomingMessage,
  { socket, head }: { socket: Socket; head: Buffer },
): Visit {
  const response = refusalTo(request, socket);
  return {
    request,
    forward: (to) => forwardUpgrade(deps, { request, socket, head, response }, to),
    answer: (notice) => answerNotice(request, response, notice),
    onEnd: (listener) => void socket.on('close', listener),
  };
}

/** A response for the case that no websocket comes about; the connection ends with it. */
function refusalTo(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('finish', () => socket.destroySoon());
  return response;
}
