import { once } from 'node:events';
import { connect } from 'node:net';
import { type Answer, parseAnswer } from './answer.ts';

export type Connection = { send(request: string): Promise<Answer>; close(): void };

/**
 * One kept-alive connection without a library between: whoever makes the load shares the processors with
 * whoever bears it, so it has to cost next to nothing.
 */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  let received: Buffer = Buffer.alloc(0);
  let waiting: PromiseWithResolvers<Answer> | undefined;
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = parseAnswer(received);
    if (answer === undefined) return;
    received = Buffer.alloc(0);
    waiting?.resolve(answer);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('The server hung up')));
  return {
    async send(request) {
      const answered = Promise.withResolvers<Answer>();
      waiting = answered;
      socket.write(request);
      return await answered.promise;
    },
    close: () => socket.destroy(),
  };
}
