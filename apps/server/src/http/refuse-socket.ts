import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Problem, problemBody } from './problem.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Answers a request that never reaches the app, and hangs up whether or not the other side does. */
export function refuseSocket(socket: Duplex, problem: Problem): void {
  // Node no longer listens to this socket, and an error that nobody listens to ends the server.
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
