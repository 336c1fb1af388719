import { once } from 'node:events';
import { connect } from 'node:net';
import { type HttpResponse, parseResponse } from './parse-response.ts';

export type Connection = { send(request: string): Promise<HttpResponse>; close(): void };

/**
 * One kept-alive connection without a library: the load generator shares the cores with the server, so it must be
 * cheap.
 */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  let received: Buffer = Buffer.alloc(0);
  let current: PromiseWithResolvers<HttpResponse> | undefined;
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const response = parseResponse(received);
    if (response === undefined) return;
    received = Buffer.alloc(0);
    current?.resolve(response);
  });
  socket.on('error', (error) => current?.reject(error));
  socket.on('close', () => current?.reject(new Error('The server closed the connection')));
  return {
    async send(request) {
      const pending = Promise.withResolvers<HttpResponse>();
      current = pending;
      socket.write(request);
      return await pending.promise;
    },
    close: () => socket.destroy(),
  };
}
