import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Address } from '@longshore/edge-contract';
import { onTestFinished } from 'vitest';

export type RawRequest = { socket: Socket; text: string; connection: number };

/** An app that writes whatever the test wants. `onRequest` is called with each piece of bytes that arrives. */
export async function startRawApp(
  onRequest: (request: RawRequest) => void,
): Promise<Address & { server: Server; connections(): number }> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => onRequest({ socket, text: bytes.toString('latin1'), connection }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { host: '127.0.0.1', port, server, connections: () => connections };
}

/** A whole response with a length. */
export function rawResponse(body: string, headers = ''): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
}
