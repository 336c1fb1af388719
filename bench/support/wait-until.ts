import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 30_000;

/** Polls until there is a result. The interval is the measurement error. */
export async function waitUntil<T>(
  what: string,
  pauseMs: number,
  poll: () => Promise<T | undefined> | T | undefined,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const result = await poll();
    if (result !== undefined) return result;
    await delay(pauseMs);
  }
  throw new Error(`Waited ${timeoutMs / 1000} s without success: ${what}`);
}
