import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from './body-framing.ts';
import { clientOf } from './client-address.ts';
import type { AppDestination } from './destination.ts';
import type { IngressErrorCode } from './error-responses.ts';
import { requestHeaders } from './forwarded-headers.ts';
import { relayResponse } from './relay-response.ts';
import { sendErrorResponse } from './send-error-response.ts';
import { sendUpstream, type UpstreamDeps } from './upstream-request.ts';

const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

/** Forwards a request to an app and streams the response back. If one side disconnects, the other is closed too. */
export function forwardRequest(
  deps: UpstreamDeps,
  request: IncomingMessage,
  response: ServerResponse,
  destination: AppDestination,
): void {
  const { targets, path, authority, framing } = destination;
  const method = request.method ?? 'GET';
  const bodyFollows = hasBody(framing);

  function fail(code: IngressErrorCode): void {
    if (bodyFollows) request.resume();
    if (response.headersSent) response.destroy();
    else sendErrorResponse(request, response, code);
  }

  const abort = sendUpstream(deps, {
    targets,
    method,
    path,
    headers: requestHeaders({
      method,
      rawHeaders: request.rawHeaders,
      authority,
      client: clientOf(request, deps.isTrustedProxy),
      framing,
    }),
    isRepeatable: !bodyFollows && IDEMPOTENT.has(method),
    isUpgrade: false,
    onOpen(outgoing) {
      if (!bodyFollows) {
        outgoing.end();
        return;
      }
      outgoing.on('continue', () => response.writeContinue());
      // A body that the app does not read must still be drained from the client's connection.
      outgoing.on('close', () => request.resume());
      request.pipe(outgoing);
    },
    onResponse: (incoming) => relayResponse(incoming, response, fail),
    onUpgrade: (_incoming, { socket }) => socket.destroy(),
    onFailure: fail,
  });
  response.on('close', () => {
    if (!response.writableFinished) abort();
  });
  response.on('timeout', () => {
    abort();
    fail('timed-out');
  });
}
