import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Notice } from './notices.ts';
import { responseHeaders } from './response-headers.ts';

/** Streams an app's response to the client at the client's pace. A response cut short is cut short here too. */
export function relayResponse(
  incoming: IncomingMessage,
  response: ServerResponse,
  refuse: (notice: Notice) => void,
): void {
  incoming.on('error', () => response.destroy());
  // The client may be gone in the middle of a write; its close event has ended everything by then.
  response.on('error', () => {});
  if (!writeHead(incoming, response)) {
    incoming.destroy();
    refuse('unreachable');
    return;
  }
  incoming.pipe(response);
  // A head without a body yet, as in an event stream, must not wait for its first byte.
  setImmediate(() => {
    if (!incoming.readableDidRead && !response.writableEnded) response.flushHeaders();
  });
}

/** Answers false for a head that cannot be passed on, such as a status of 42. */
function writeHead(incoming: IncomingMessage, response: ServerResponse): boolean {
  try {
    const { statusCode = 0, statusMessage = '', rawHeaders } = incoming;
    response.writeHead(statusCode, statusMessage, responseHeaders(rawHeaders));
    return true;
  } catch {
    return false;
  }
}
