import { expect, it } from 'vitest';
import { encodeBatch } from './line-format.ts';
import type { LogRecord } from './log-record.ts';
import { streamLines } from './stream-lines.ts';

/** An endless reader, and whether it was closed. */
function endlessReader() {
  const state = { isClosed: false };
  async function* open(signal: AbortSignal): AsyncGenerator<LogRecord[]> {
    try {
      for (let sequence = 1; !signal.aborted; sequence += 1) {
        yield [{ sequence, at: 0, name: 'app-1', text: 'line' } as unknown as LogRecord];
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { open, state };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

it('closes the reader when the client disconnects without a cancel', async () => {
  const { open, state } = endlessReader();
  const client = new AbortController();
  const reader = streamLines(open, encodeBatch.text, {
    client: client.signal,
    lifetimeMs: 900_000,
  }).getReader();
  await reader.read();
  client.abort();
  await settle();
  expect(state.isClosed).toBe(true);
  expect((await reader.read()).done).toBe(true);
});

it('closes the reader when the stream is cancelled', async () => {
  const { open, state } = endlessReader();
  const { signal } = new AbortController();
  const reader = streamLines(open, encodeBatch.text, {
    client: signal,
    lifetimeMs: 900_000,
  }).getReader();
  await reader.read();
  await reader.cancel();
  await settle();
  expect(state.isClosed).toBe(true);
});

it('sends nothing to a client that disconnected before the start', async () => {
  const { open } = endlessReader();
  const reader = streamLines(open, encodeBatch.text, {
    client: AbortSignal.abort(),
    lifetimeMs: 900_000,
  }).getReader();
  expect((await reader.read()).done).toBe(true);
});

it('ends when the lines cannot be read', async () => {
  const { signal } = new AbortController();
  let hasEnded = false;
  const onEnd = () => {
    hasEnded = true;
  };
  // biome-ignore lint/correctness/useYield: it fails before the first line.
  async function* open(): AsyncGenerator<LogRecord[]> {
    throw new Error('The disk failed');
  }
  const lifetime = { client: signal, lifetimeMs: 900_000, onEnd };
  const reader = streamLines(open, encodeBatch.text, lifetime).getReader();
  await expect(reader.read()).rejects.toThrow('The disk failed');
  expect(hasEnded).toBe(true);
});
