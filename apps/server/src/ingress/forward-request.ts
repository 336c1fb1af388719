import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerNotice } from './answer-notice.ts';
import { type AskAppDeps, askApp } from './ask-app.ts';
import type { ToApp } from './destination.ts';
import type { Notice } from './notices.ts';
import { relayResponse } from './relay-response.ts';
import { bodyFollows, requestHeaders } from './request-headers.ts';
import { visitorOf } from './visitor.ts';

const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

/** Passes one request to an app and its response back. Whichever side leaves early takes the other with it. */
export function forwardRequest(
  deps: AskAppDeps,
  request: IncomingMessage,
  response: ServerResponse,
  destination: ToApp,
): void {
  const { targets, path, authority, framing } = destination;
  const method = request.method ?? 'GET';
  const hasBody = bodyFollows(framing);

  function refuse(notice: Notice): void {
    if (hasBody) request.resume();
    if (response.headersSent) response.destroy();
    else answerNotice(request, response, notice);
  }

  const giveUp = askApp(deps, {
    targets,
    method,
    path,
    headers: requestHeaders({
      method,
      rawHeaders: request.rawHeaders,
      authority,
      visitor: visitorOf(request, deps.isTrusted),
      framing,
    }),
    isRepeatable: !hasBody && IDEMPOTENT.has(method),
    isUpgrade: false,
    opened(outgoing) {
      if (!hasBody) {
        outgoing.end();
        return;
      }
      outgoing.on('continue', () => response.writeContinue());
      // What an app does not want to read must still leave the client's connection.
      outgoing.on('close', () => request.resume());
      request.pipe(outgoing);
    },
    answered: (incoming) => relayResponse(incoming, response, refuse),
    upgraded: (_incoming, { socket }) => socket.destroy(),
    failed: refuse,
  });
  response.on('close', () => {
    if (!response.writableFinished) giveUp();
  });
  response.on('timeout', () => {
    giveUp();
    refuse('timed-out');
  });
}
