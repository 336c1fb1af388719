import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 30_000;

/** Asks again and again until there is an answer; the pause is what a measured time can be too long by. */
export async function waitUntil<T>(
  what: string,
  pauseMs: number,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const until = performance.now() + TIMEOUT_MS;
  while (performance.now() < until) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await delay(pauseMs);
  }
  throw new Error(`Waited ${TIMEOUT_MS / 1000} s in vain: ${what}`);
}
