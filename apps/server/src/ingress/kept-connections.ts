import { Agent, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Address } from '../engines/engine.ts';
import { connectTo } from './connect-to.ts';
import { LIMITS } from './limits.ts';

/** Connections to apps that stay open for the next request. */
export class KeptConnections extends Agent {
  constructor() {
    super({
      keepAlive: true,
      maxFreeSockets: LIMITS.freeSocketsPerTarget,
      // Only ends idle connections: a request under way may be silent for longer.
      timeout: LIMITS.upstreamKeepAliveMs,
    });
  }

  override createConnection(options: ClientRequestArgs): Duplex {
    return connectTo({ host: options.host ?? '', port: Number(options.port) });
  }

  closeIdle(address: Address): void {
    for (const socket of this.freeSockets[this.getName(address)] ?? []) socket.destroy();
  }
}
