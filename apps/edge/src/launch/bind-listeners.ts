import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { ListenerInfo } from '@longshore/edge-contract';

/** Listening sockets of all listeners, for another process. */
export type BoundListeners = {
  /** With the ports that were picked for 0. */
  listeners: ListenerInfo[];
  /** Their numbers: all slots of the first listener, then the next. */
  descriptors: number[];
  /** Closes them in this process. */
  close(): void;
};

export class BindFailed extends Error {
  readonly listener: ListenerInfo;
  readonly code: string;

  constructor(listener: ListenerInfo, cause: NodeJS.ErrnoException) {
    super(`Cannot listen on ${listener.host}:${listener.port}`, { cause });
    this.listener = listener;
    this.code = cause.code ?? '';
  }
}

const BACKLOG = 4_096;

/**
 * Binds each listener once per slot; the kernel spreads connections over the slots. Hosts are addresses: for those,
 * nothing here waits for the event loop, so this process accepts no connection until `close`, if it calls that at once.
 * `beside`: ports of listeners that this installation still holds.
 */
export async function bindListeners(
  listeners: ListenerInfo[],
  slots: number,
  beside: (listener: ListenerInfo) => boolean = () => false,
): Promise<BoundListeners> {
  const servers: Server[] = [];
  const close = () => {
    for (const server of servers) server.close();
  };
  passOnWaitingConnections();
  try {
    const inherited = new Set(socketDescriptors());
    const bound: ListenerInfo[] = [];
    for (const listener of listeners) {
      // Several processes of a user can bind a port with `reusePort`. Without it, a port that is in use is refused.
      if (listener.port !== 0 && !beside(listener)) (await listen(listener, false)).close();
      let { port } = listener;
      for (let slot = 0; slot < slots; slot += 1) {
        const server = await listen({ ...listener, port }, true);
        servers.push(server);
        port = (server.address() as AddressInfo).port;
      }
      bound.push({ ...listener, port });
    }
    const descriptors = socketDescriptors().filter((descriptor) => !inherited.has(descriptor));
    return { listeners: bound, descriptors, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Lets the kernel give connections that wait on a closed socket to another socket of the same port. Otherwise it resets them, for
 * example when the workers of a killed keeper end. Only root may, and only since Linux 5.14.
 */
function passOnWaitingConnections(): void {
  try {
    writeFileSync('/proc/sys/net/ipv4/tcp_migrate_req', '1');
  } catch {
    // A few connections may be lost in that case.
  }
}

function listen(listener: ListenerInfo, reusePort: boolean): Promise<Server> {
  const { host, port } = listener;
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => reject(new BindFailed(listener, error)));
    server.listen({ host, port, reusePort, backlog: BACKLOG }, () => resolve(server));
  });
}

/** The numbers of the sockets of this process, ascending. New ones get the next free number, so the order is that of creation. */
function socketDescriptors(): number[] {
  return readdirSync('/proc/self/fd')
    .filter((descriptor) => isSocket(`/proc/self/fd/${descriptor}`))
    .map(Number)
    .toSorted((one, other) => one - other);
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    return false;
  }
}
