import { setTimeout as delay } from 'node:timers/promises';

/** Long enough for the server to handle what arrived during the last spawn. */
const PAUSE_MS = 1;

/** Of this process, as is the thread that a spawn blocks. */
let last = Promise.resolve();

/**
 * Wait for it before starting a program. That blocks the server for several milliseconds, because the kernel copies the tables of
 * its memory, and several programs are often started together. Requests are handled in between.
 */
export function spawnTurn(): Promise<void> {
  const turn = last;
  last = turn.then(() => delay(PAUSE_MS));
  return turn;
}
