import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IngressErrorCode } from './error-responses.ts';
import { responseHeaders } from './forwarded-headers.ts';

/** Streams an app's response to the client with backpressure. If the app aborts, the client's connection is closed. */
export function relayResponse(
  incoming: IncomingMessage,
  response: ServerResponse,
  fail: (code: IngressErrorCode) => void,
): void {
  incoming.on('error', () => response.destroy());
  // A client may disconnect during a write. The 'close' handler of the response cleans up.
  response.on('error', () => {});
  if (!writeHead(incoming, response)) {
    incoming.destroy();
    fail('unreachable');
    return;
  }
  incoming.pipe(response);
  // Headers must not wait for the first byte of the body, for example in an event stream.
  setImmediate(() => {
    if (!incoming.readableDidRead && !response.writableEnded) response.flushHeaders();
  });
}

/** Returns false for a head that cannot be sent, such as one with status 42. */
function writeHead(incoming: IncomingMessage, response: ServerResponse): boolean {
  try {
    const { statusCode = 0, statusMessage = '', rawHeaders } = incoming;
    response.writeHead(statusCode, statusMessage, responseHeaders(rawHeaders));
    return true;
  } catch {
    return false;
  }
}
