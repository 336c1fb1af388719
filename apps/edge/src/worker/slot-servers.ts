import { createServer, type Server, type Socket } from 'node:net';
import type { ListenerInfo } from '@longshore/edge-contract';
import { FIRST_DESCRIPTOR, type SlotDescriptor } from './worker-messages.ts';

type Accept = Record<ListenerInfo['protocol'], (socket: Socket) => void>;

/** Accepts connections from inherited listening sockets. */
export type SlotServers = {
  listen(descriptors: SlotDescriptor[]): Promise<void>;
  /** Stops accepting. Other processes have the same sockets: connections that wait are not lost. */
  release(slots: number[]): void;
  /** Stops accepting and resolves when the last connection has ended. */
  close(): Promise<void>;
};

const BACKLOG = 4_096;

export function createSlotServers(accept: Accept, maxConnections: number): SlotServers {
  const servers = new Map<Server, number>();
  const closed: Promise<void>[] = [];

  function listen({ protocol, slot }: SlotDescriptor, index: number): Promise<void> {
    // As an HTTP server of Node creates its connections.
    const server = createServer(
      { allowHalfOpen: true, noDelay: true, keepAlive: true },
      accept[protocol],
    );
    server.maxConnections = maxConnections;
    servers.set(server, slot);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ fd: FIRST_DESCRIPTOR + index, backlog: BACKLOG }, () => {
        server.off('error', reject);
        // Accepting failed for one connection, such as with too many open files.
        server.on('error', () => {});
        resolve();
      });
    });
  }

  function stopAccepting(server: Server): void {
    servers.delete(server);
    closed.push(new Promise((resolve) => void server.close(() => resolve())));
  }

  return {
    async listen(descriptors) {
      await Promise.all(descriptors.map(listen));
    },
    release(slots) {
      for (const [server, slot] of servers) if (slots.includes(slot)) stopAccepting(server);
    },
    async close() {
      for (const server of servers.keys()) stopAccepting(server);
      await Promise.all(closed);
    },
  };
}
