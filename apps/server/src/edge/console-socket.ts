import { chmod, chown, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Identity } from '../processes/identity.ts';

const FOLDER = 'console-socket';
const NAME = 'edge.sock';
/** `sun_path` has 108 bytes on Linux. */
const MAX_PATH_BYTES = 100;

/** As the edge, which runs in its own folder of the data directory, names the socket. */
export const SOCKET_FOR_EDGE = join('..', FOLDER, NAME);

/** The unix socket on which the server listens for the edge. Other users cannot reach it. */
export type ConsoleSocket = {
  /** Short enough for any data directory. Valid until `close`. */
  path: string;
  /** Lets the user of the edge connect. Call it when the server listens. */
  admitEdge(): Promise<void>;
  close(): Promise<void>;
};

/** `identity`: of the edge. Undefined: it runs as the user of the server. */
export async function openConsoleSocket(
  dataDir: string,
  identity: Identity | undefined,
): Promise<ConsoleSocket> {
  const folder = join(dataDir, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const socket = join(folder, NAME);
  // A server that was killed left it behind.
  await rm(socket, { force: true });
  const isShort = Buffer.byteLength(socket) <= MAX_PATH_BYTES;
  const handle = isShort ? undefined : await open(folder);
  return {
    path: handle === undefined ? socket : `/proc/self/fd/${handle.fd}/${NAME}`,
    async admitEdge() {
      if (identity === undefined) return;
      // Only root can change the folder: nobody can put a link in place of the socket.
      await chown(socket, process.getuid?.() ?? 0, identity.gid);
      await chmod(socket, 0o660);
      await chown(folder, process.getuid?.() ?? 0, identity.gid);
      await chmod(folder, 0o710);
    },
    async close() {
      await handle?.close();
    },
  };
}
