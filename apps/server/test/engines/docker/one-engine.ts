import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** An abstract socket name, which Linux releases when its holder exits. */
const NAME = '\0longshore-test-docker';
const PAUSE_MS = 100;

/** Only one Docker Engine at a time, because they share the firewall: waits for its turn. Returns the release function. */
export async function onlyEngine(): Promise<() => Promise<void>> {
  for (;;) {
    const leave = await take();
    if (leave !== undefined) return leave;
    await delay(PAUSE_MS);
  }
}

function take(): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    const leave = () => new Promise<void>((left) => server.close(() => left()));
    server.once('error', () => resolve(undefined)).listen(NAME, () => resolve(leave));
  });
}
