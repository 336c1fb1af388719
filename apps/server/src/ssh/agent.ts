import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Secret } from '../secrets/secret.ts';
import { createAgentAnswer } from './agent-answer.ts';
import { lengthPrefixed, takePrefixed } from './wire.ts';

export type SshAgent = { stop(): Promise<void> };

const MAX_MESSAGE_BYTES = 64 * 1024;

/**
 * Signs for an ssh that comes to this socket. The key itself stays in this process: no file, no environment and no other
 * program ever holds it.
 */
export async function startAgent(path: string, privateKey: Secret): Promise<SshAgent> {
  const answer = createAgentAnswer(privateKey);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Whoever hangs up in the middle has no question left.
    socket.on('error', () => {});
    answerEach(socket, answer);
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function answerEach(socket: Socket, answer: (message: Buffer) => Buffer): void {
  let unread: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (let next = takePrefixed(unread); next !== undefined; next = takePrefixed(unread)) {
      unread = next.rest;
      socket.write(lengthPrefixed(answer(next.content)));
    }
    if (unread.length > MAX_MESSAGE_BYTES) socket.destroy();
  });
}
