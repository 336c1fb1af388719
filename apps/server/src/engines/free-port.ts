import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which Linux takes ports for outgoing connections, so that none of those is in the way. */
const FIRST = 20_000;
const COUNT = 12_768;
const MAX_TRIES = 200;

/** A loopback port that nobody listens on and that no instance was given. */
export async function findFreePort(given: ReadonlySet<number>): Promise<number> {
  const start = randomInt(COUNT);
  for (let step = 0; step < MAX_TRIES; step += 1) {
    const port = FIRST + ((start + step) % COUNT);
    if (!given.has(port) && (await canListen(port))) return port;
  }
  throw new Error('No free port was found for the app');
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Any address: an app may listen on all of them.
    const server = createServer()
      .once('error', () => resolve(false))
      .listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
