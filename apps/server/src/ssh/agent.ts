import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Secret } from '../secrets/secret.ts';
import { createAgentResponder } from './agent-protocol.ts';
import { lengthPrefixed, takePrefixed } from './wire.ts';

export type SshAgent = { stop(): Promise<void> };

const MAX_MESSAGE_BYTES = 64 * 1024;

/**
 * An SSH agent on a Unix socket. The private key stays in this process: it is never in a file, an environment variable
 * or another program.
 */
export async function startAgent(path: string, privateKey: Secret): Promise<SshAgent> {
  const respond = createAgentResponder(privateKey);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A client that disconnects early needs no handling.
    socket.on('error', () => {});
    respondToMessages(socket, respond);
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

function respondToMessages(socket: Socket, respond: (message: Buffer) => Buffer): void {
  let unread: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (let next = takePrefixed(unread); next !== undefined; next = takePrefixed(unread)) {
      unread = next.rest;
      socket.write(lengthPrefixed(respond(next.content)));
    }
    if (unread.length > MAX_MESSAGE_BYTES) socket.destroy();
  });
}
