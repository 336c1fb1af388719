import { connect } from 'node:tls';
import { serveRequests } from '../support/serve-requests.ts';

export type HandshakeSetUp = { host: string; port: number; clients: number };
export type HandshakeRound = { handshakes: number; isResumed: boolean };
export type HandshakeResult = { resumed: number };

/** Opens TLS connections for one request each, in several clients. Each resumes its last session, or none. */
await serveRequests(async ({ host, port, clients }: HandshakeSetUp) => {
  return async ({ handshakes, isResumed }: HandshakeRound): Promise<HandshakeResult> => {
    let left = handshakes;
    let resumed = 0;

    async function openConnections(): Promise<void> {
      let session: Buffer | undefined;
      while (left > 0) {
        left -= 1;
        const opened = await openConnection(session);
        if (opened.isReused) resumed += 1;
        // A resumed connection may get no new ticket.
        if (isResumed) session = opened.session ?? session;
      }
    }

    await Promise.all(Array.from({ length: clients }, openConnections));
    return { resumed };
  };

  function openConnection(
    session: Buffer | undefined,
  ): Promise<{ isReused: boolean; session: Buffer | undefined }> {
    return new Promise((resolve, reject) => {
      let next: Buffer | undefined;
      const socket = connect({
        host: '127.0.0.1',
        port,
        servername: host,
        rejectUnauthorized: false,
        ...(session && { session }),
      });
      // Tickets arrive before the response.
      socket.on('session', (ticket: Buffer) => {
        next = ticket;
      });
      socket.once('data', () => {
        resolve({ isReused: socket.isSessionReused(), session: next });
        socket.destroy();
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('The connection was closed without a response')));
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    });
  }
});
