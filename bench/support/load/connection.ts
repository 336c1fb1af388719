import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type HttpResponse, parseResponse } from './parse-response.ts';

export type Connection = { send(request: string): Promise<HttpResponse>; close(): void };

/**
 * One kept-alive connection without a library: the load generator shares the cores with the server, so it must be
 * cheap. It is opened again when the server ends it; nginx does so after 1,000 requests.
 */
export async function openConnection(port: number, host = '127.0.0.1'): Promise<Connection> {
  let current: PromiseWithResolvers<HttpResponse> | undefined;
  let socket = await openSocket();
  return {
    async send(request) {
      const pending = Promise.withResolvers<HttpResponse>();
      current = pending;
      socket.write(request);
      const response = await pending.promise;
      if (response.isLast) {
        socket.removeAllListeners('close').destroy();
        socket = await openSocket();
      }
      return response;
    },
    close: () => socket.destroy(),
  };

  async function openSocket(): Promise<Socket> {
    const opened = connect({ host, port, noDelay: true });
    await once(opened, 'connect');
    let received: Buffer = Buffer.alloc(0);
    opened.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const response = parseResponse(received);
      if (response === undefined) return;
      received = Buffer.alloc(0);
      current?.resolve(response);
      current = undefined;
    });
    opened.on('error', (error) => current?.reject(error));
    opened.on('close', () => current?.reject(new Error('The server closed the connection')));
    return opened;
  }
}
