import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Address } from '../engines/engine.ts';
import { LIMITS } from './limits.ts';

/** Reuses connections to apps for later requests. */
export class KeepAliveAgent extends Agent {
  constructor() {
    super({
      keepAlive: true,
      maxFreeSockets: LIMITS.freeSocketsPerTarget,
      // Only closes idle connections: a request in flight may be silent for longer.
      timeout: LIMITS.upstreamKeepAliveMs,
    });
  }

  override createConnection(options: ClientRequestArgs): Duplex {
    return connectToApp({ host: options.host ?? '', port: Number(options.port) });
  }

  closeIdle(address: Address): void {
    for (const socket of this.freeSockets[this.getName(address)] ?? []) socket.destroy();
  }
}

/** Opens a connection to an app. The socket fails if it is not connected within the time limit. */
export function connectToApp({ host, port }: Address, allowHalfOpen = false): Socket {
  const socket = connect({ host, port, allowHalfOpen, noDelay: true });
  const timer = setTimeout(() => {
    socket.destroy(new Error('The app did not accept the connection in time'));
  }, LIMITS.connectMs);
  const clearTimer = () => clearTimeout(timer);
  socket.once('connect', clearTimer);
  socket.once('close', clearTimer);
  return socket;
}
