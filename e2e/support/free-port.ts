import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Below the system's ephemeral range, from which another program could get the port first. */
const [FIRST, END] = [15_000, 32_000];

/** A free port that no other test gets while this process runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    // An abstract unix socket as a reservation: it has no file and is released when its process exits.
    const reservation = await tryListen(`\0longshore-port-${port}`);
    if (reservation === undefined) continue;
    reservation.unref();
    const listener = await tryListen({ host: '127.0.0.1', port });
    if (listener === undefined) continue;
    await new Promise((resolve) => listener.close(resolve));
    return port;
  }
}

/** Undefined if the address is in use. */
function tryListen(target: string | { host: string; port: number }): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined)).listen(target, () => resolve(server));
  });
}
