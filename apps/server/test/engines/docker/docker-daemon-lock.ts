import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** An abstract socket name, which Linux releases when its holder exits. */
const NAME = '\0longshore-test-docker';
const PAUSE_MS = 100;

/** Allows one Docker daemon at a time, because daemons share the firewall. Waits for the lock; returns its release function. */
export async function acquireDockerDaemonLock(): Promise<() => Promise<void>> {
  for (;;) {
    const release = await tryLock();
    if (release !== undefined) return release;
    await delay(PAUSE_MS);
  }
}

function tryLock(): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    const release = () => new Promise<void>((released) => server.close(() => released()));
    server.once('error', () => resolve(undefined)).listen(NAME, () => resolve(release));
  });
}
