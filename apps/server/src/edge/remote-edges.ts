import { lookup } from 'node:dns/promises';
import { connect, type TLSSocket } from 'node:tls';
import {
  controlClientTls,
  type EdgeMessage,
  type ListenerInfo,
  monotonicClock,
  PROTOCOL,
} from '@longshore/edge-contract';
import type { RemoteEdges } from '../config-values.ts';
import { type ControlConnection, sayHello } from './control-connection.ts';
import { createEdgeClient } from './edge-client.ts';
import { createEdgeGroup } from './edge-group.ts';
import { EdgeAbsent } from './ensure-edge.ts';

type RemoteOptions = {
  edges: RemoteEdges;
  installation: string;
  listeners: ListenerInfo[];
  log(level: 'info' | 'warn' | 'error', text: string): void;
};

const CONNECT_MS = 5_000;

/** Edges that others start and replace, in pods of their own: every address of a host name is one of them. */
export function openRemoteEdges({ edges, installation, listeners, log }: RemoteOptions) {
  const { host, port, key } = edges;
  const secret = key.reveal();
  return createEdgeGroup({
    listeners,
    clock: monotonicClock,
    log,
    async findAddresses() {
      const found = await lookup(host, { all: true }).catch((error) => {
        // All pods are gone.
        if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') return [];
        throw error;
      });
      return found.map(({ address }) => address);
    },
    connectTo: (address) =>
      createEdgeClient({
        connect: (onMessage) =>
          connectToRemoteEdge({ host: address, port, secret, installation }, onMessage),
        // The cluster restarts an edge that hangs.
        killHanging: async () => {},
        launch: undefined,
        // Its build does not matter: the cluster replaces it.
        wanted: { build: undefined, node: '', program: '', listeners },
        clock: monotonicClock,
        log: (level, text) => log(level, `${address}: ${text}`),
      }),
  });
}

type RemoteTarget = { host: string; port: number; secret: string; installation: string };

/** Whatever fails, the client tries it again: nothing here can start or end an edge. */
async function connectToRemoteEdge(
  { host, port, secret, installation }: RemoteTarget,
  onMessage: (message: EdgeMessage) => void,
): Promise<ControlConnection> {
  const socket = await openSocket({ host, port, secret });
  const connection = await sayHello(socket, { secret, installation, onMessage }).catch((error) => {
    throw new EdgeAbsent(error.message);
  });
  if (typeof connection === 'string') throw new EdgeAbsent(`it ${connection}`);
  const { protocol } = connection.welcome;
  if (protocol === PROTOCOL) return connection;
  connection.close();
  throw new EdgeAbsent(`it speaks protocol ${protocol}, and this server ${PROTOCOL}`);
}

function openSocket({
  host,
  port,
  secret,
}: Omit<RemoteTarget, 'installation'>): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...controlClientTls(secret), host, port, timeout: CONNECT_MS });
    const fail = (text: string) => {
      reject(new EdgeAbsent(text));
      socket.destroy();
    };
    socket.once('timeout', () => fail('it does not answer'));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      fail(
        error.syscall === undefined
          ? `it has another LONGSHORE_EDGE_KEY (${error.message})`
          : error.message,
      ),
    );
    socket.once('secureConnect', () => {
      socket.setTimeout(0).removeAllListeners('error').removeAllListeners('timeout');
      resolve(socket);
    });
  });
}
