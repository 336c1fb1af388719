import { connect, type Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import {
  controlServerTls,
  createLineReader,
  MAX_LINE_BYTES,
  parseEdgeMessage,
} from '@longshore/edge-contract';

export type ControlRelayDeps = {
  secret: string;
  /** The control socket of the keeper. */
  socket: string;
  /** The keeper has the routes of all apps. */
  onSynced(): void;
};

/** Passes connections of servers in other pods on to the keeper, which listens on a unix socket. */
export function createControlRelay({ secret, socket, onSynced }: ControlRelayDeps): Server {
  return createServer(controlServerTls(secret), (server) => {
    const keeper = connect(socket);
    const reader = createLineReader(MAX_LINE_BYTES);
    keeper.on('data', (chunk) => {
      const messages = (reader.read(chunk) ?? []).map(parseEdgeMessage);
      if (messages.some((message) => message?.kind === 'synced')) onSynced();
    });
    link(server, keeper);
    link(keeper, server);
  }).on('tlsClientError', () => {});
}

/** What one side sends or ends, the other one gets. */
function link(from: Socket, to: Socket): void {
  from.on('error', () => {});
  from.on('close', () => to.destroy());
  from.pipe(to);
}
