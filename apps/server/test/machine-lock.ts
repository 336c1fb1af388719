import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 100;

/** A lock that all test processes of this machine share. Waits for it; returns its release function. */
export async function acquireMachineLock(name: string): Promise<() => Promise<void>> {
  for (;;) {
    const release = await tryMachineLock(name);
    if (release !== undefined) return release;
    await delay(PAUSE_MS);
  }
}

/** Undefined while another process has it. An abstract socket name is released by Linux when its holder exits. */
export function tryMachineLock(name: string): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    const release = () => new Promise<void>((released) => server.close(() => released()));
    server
      .once('error', () => resolve(undefined))
      .listen(`\0longshore-test-${name}`, () => resolve(release));
  });
}
