import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A name that is free again when its holder ends, however it ends. Linux keeps it in no folder. */
const NAME = '\0longshore-test-docker';
const PAUSE_MS = 100;

/** Two Docker Engines at once fight over the machine's firewall: waits for the one before to end. Answers how to leave. */
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
