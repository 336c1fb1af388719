import { expect, it } from 'vitest';
import { encodeBatch } from './lines-form.ts';
import type { LogRecord } from './log-record.ts';
import { streamLines } from './stream-lines.ts';

/** Batches that never end, and whether their reader has let them go. */
function endless() {
  const seen = { isReleased: false };
  async function* open(signal: AbortSignal): AsyncGenerator<LogRecord[]> {
    try {
      for (let sequence = 1; !signal.aborted; sequence += 1) {
        yield [{ sequence, at: 0, name: 'app-1', text: 'line' } as unknown as LogRecord];
      }
    } finally {
      seen.isReleased = true;
    }
  }
  return { open, seen };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

it('lets go when the client leaves though nobody cancels the stream', async () => {
  const { open, seen } = endless();
  const client = new AbortController();
  const reader = streamLines(open, encodeBatch.text, {
    client: client.signal,
    lifetimeMs: 900_000,
  }).getReader();
  await reader.read();
  client.abort();
  await settle();
  expect(seen.isReleased).toBe(true);
  expect((await reader.read()).done).toBe(true);
});

it('lets go when the stream is cancelled', async () => {
  const { open, seen } = endless();
  const { signal } = new AbortController();
  const reader = streamLines(open, encodeBatch.text, {
    client: signal,
    lifetimeMs: 900_000,
  }).getReader();
  await reader.read();
  await reader.cancel();
  await settle();
  expect(seen.isReleased).toBe(true);
});

it('says nothing to a client that left before it began', async () => {
  const { open } = endless();
  const reader = streamLines(open, encodeBatch.text, {
    client: AbortSignal.abort(),
    lifetimeMs: 900_000,
  }).getReader();
  expect((await reader.read()).done).toBe(true);
});

it('lets go when the lines cannot be read', async () => {
  const { signal } = new AbortController();
  let hasLeft = false;
  const left = () => {
    hasLeft = true;
  };
  // biome-ignore lint/correctness/useYield: it fails before the first line.
  async function* open(): AsyncGenerator<LogRecord[]> {
    throw new Error('The disk is gone');
  }
  const life = { client: signal, lifetimeMs: 900_000, left };
  const reader = streamLines(open, encodeBatch.text, life).getReader();
  await expect(reader.read()).rejects.toThrow('The disk is gone');
  expect(hasLeft).toBe(true);
});
