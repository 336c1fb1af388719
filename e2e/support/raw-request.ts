import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends bytes as they are, which no HTTP client would do, and answers what comes until the server hangs up. */
export async function rawRequest(port: number, request: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.write(request);
  try {
    return await text(socket);
  } finally {
    socket.destroy();
  }
}

/** The same, for what a well-behaved client would clean up before it is sent. */
export async function rawGet(port: number, path: string): Promise<string> {
  return await rawRequest(
    port,
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  );
}
