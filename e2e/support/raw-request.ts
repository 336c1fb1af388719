import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends raw bytes, which no HTTP client allows, and returns everything until the server closes the connection. */
export async function rawRequest(port: number, request: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.write(request);
  try {
    return await text(socket);
  } finally {
    socket.destroy();
  }
}

/** The same for a path that HTTP clients would normalize. */
export async function rawGet(port: number, path: string): Promise<string> {
  return await rawRequest(
    port,
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  );
}
