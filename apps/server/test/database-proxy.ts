import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect as dial, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type DatabaseProxy = {
  connection: { host: string; user: string; database: string };
  /** Ends every connection, and refuses new ones until it is mended. */
  cut(): void;
  /** Passes nothing on any more and says nothing, as a cable that was pulled. New connections hang too. */
  silence(): void;
  /** New connections work again; those of before stay as they are. */
  mend(): void;
  stop(): Promise<void>;
};

type Line = 'good' | 'cut' | 'silent';

const SOCKET_NAME = '.s.PGSQL.5432';

/** A cable between us and the database, to be cut. */
export async function startDatabaseProxy(
  connection: DatabaseProxy['connection'],
): Promise<DatabaseProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-cable-'));
  const sockets = new Set<Socket>();
  let line: Line = 'good';

  const server = createServer((near) => {
    keep(near);
    if (line === 'cut') near.destroy();
    if (line !== 'good') return;
    const far = keep(dial(join(connection.host, SOCKET_NAME)));
    near.pipe(far).on('close', () => near.destroy());
    far.pipe(near).on('close', () => far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(join(folder, SOCKET_NAME), resolve));

  return {
    connection: { ...connection, host: folder },
    cut() {
      line = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    silence() {
      line = 'silent';
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend() {
      line = 'good';
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    return socket;
  }
}
