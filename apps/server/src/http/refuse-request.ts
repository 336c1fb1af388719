import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem, problemBody } from './problem.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Responds to a request that never reaches the app, and closes the connection even if the client does not. */
export function refuseSocket(socket: Duplex, problem: Problem): void {
  // Node has removed its own listener from this socket, and an unhandled error event ends the process.
  socket.on('error', () => {});
  const body = JSON.stringify(problemBody(problem));
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** The response to a request that Node could not parse, by Node's error code. */
export function unreadableRequest(error: Error & { code?: string }): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, 'headers-too-large', 'The request headers are too large', {
        cause: error,
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(408, 'request-timeout', 'The request took too long to arrive', {
        cause: error,
      });
    default:
      return new Problem(400, 'invalid-request', 'The request could not be read', { cause: error });
  }
}
