import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '@longshore/edge-contract';

/** Listens on ports of TCP routes. Each worker has its own socket per port; the kernel spreads connections over them. */
export type PortServers = {
  /** Tries again and again while another process has the port. */
  listen(port: number, onConnection: (socket: Socket) => void): { close(): void };
  /** Resolves when the last connection of all ports that were closed has ended. */
  closed(): Promise<void>;
};

type PortServersDeps = { clock: Clock; report(text: string): void };

const RETRY_MS = 5_000;

export function createPortServers({ clock, report }: PortServersDeps): PortServers {
  const closed: Promise<void>[] = [];
  return {
    listen(port, onConnection) {
      let timer: unknown;
      let hasFailed = false;
      let isClosed = false;
      const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, onConnection);
      const open = () => void server.listen({ port, reusePort: true });
      server.on('error', ({ message }) => {
        if (!hasFailed) report(`The edge cannot listen on TCP port ${port}: ${message}`);
        hasFailed = true;
        if (!server.listening && !isClosed) timer = clock.setTimeout(open, RETRY_MS);
      });
      open();
      return {
        close() {
          isClosed = true;
          clock.clearTimeout(timer);
          closed.push(new Promise((resolve) => void server.close(() => resolve())));
        },
      };
    },
    async closed() {
      await Promise.all(closed);
    },
  };
}
