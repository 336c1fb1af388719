import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range that Linux uses for outgoing connections. */
const FIRST = 20_000;
const COUNT = 12_768;
const MAX_TRIES = 200;

/** A port that is not in use and not assigned to an instance. */
export async function findFreePort(assigned: ReadonlySet<number>): Promise<number> {
  const start = randomInt(COUNT);
  for (let step = 0; step < MAX_TRIES; step += 1) {
    const port = FIRST + ((start + step) % COUNT);
    if (!assigned.has(port) && (await canListen(port))) return port;
  }
  throw new Error('No free port found for the app');
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    // On all addresses, as apps may listen on all of them.
    const server = createServer()
      .once('error', () => resolve(false))
      .listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
