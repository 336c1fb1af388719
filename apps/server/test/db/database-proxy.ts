import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type DatabaseProxy = {
  connection: { host: string; user: string; database: string };
  /** Closes every connection, and refuses new ones until `restore`. */
  disconnect(): void;
  /** Forwards nothing any more without closing connections, as an unplugged cable. New connections hang too. */
  stall(): void;
  /** New connections work again; stalled ones stay stalled. */
  restore(): void;
  stop(): Promise<void>;
};

type LinkState = 'up' | 'disconnected' | 'stalled';

const SOCKET_NAME = '.s.PGSQL.5432';

/** A proxy in front of the database whose connections can be interrupted. */
export async function startDatabaseProxy(
  connection: DatabaseProxy['connection'],
): Promise<DatabaseProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-proxy-'));
  const sockets = new Set<Socket>();
  let link: LinkState = 'up';

  const server = createServer((client) => {
    track(client);
    if (link === 'disconnected') client.destroy();
    if (link !== 'up') return;
    const upstream = track(connect(join(connection.host, SOCKET_NAME)));
    client.pipe(upstream).on('close', () => client.destroy());
    upstream.pipe(client).on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(join(folder, SOCKET_NAME), resolve));

  return {
    connection: { ...connection, host: folder },
    disconnect() {
      link = 'disconnected';
      for (const socket of sockets) socket.destroy();
    },
    stall() {
      link = 'stalled';
      for (const socket of sockets) socket.unpipe().pause();
    },
    restore() {
      link = 'up';
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };

  function track(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    return socket;
  }
}
