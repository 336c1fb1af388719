import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Below those the system itself gives out, which somebody else could get before we use ours. */
const [FIRST, END] = [15_000, 32_000];

/** A port nobody listens on, and no other journey gets while this one goes on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    // A name that Linux keeps in no folder, and that is free again when its holder ends.
    const hold = await listen(`\0longshore-port-${port}`);
    if (hold === undefined) continue;
    hold.unref();
    const listener = await listen({ host: '127.0.0.1', port });
    if (listener === undefined) continue;
    await new Promise((resolve) => listener.close(resolve));
    return port;
  }
}

/** Nothing when the place is taken. */
function listen(place: string | { host: string; port: number }): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined)).listen(place, () => resolve(server));
  });
}
