import { open } from 'node:fs/promises';
import { createLineSplitter } from '../../processes/line-splitter.ts';
import { openPosition } from './position.ts';
import { watchGrowth } from './watch-growth.ts';

/** So small that its lines, all of them empty, find room in the log. */
const CHUNK_BYTES = 32_768;
/** Consumed output is given back to the disk in pieces of this size. */
const FREE_BYTES = 4 * 1_048_576;
/** The end of the output stays, for the last lines of a crash. */
const KEPT_BYTES = 131_072;
/** What lies further behind is passed over: the app can make its output terabytes long with one call. */
const MAX_BEHIND_BYTES = 64 * 1_048_576;

export type TailDeps = {
  output: string;
  position: string;
  onLine(line: string): void;
  /** Resolves when there is room for more lines. Meanwhile the file keeps them. */
  room(): Promise<void>;
  /** Resolves when the lines told so far are stored: only then the position may move on. */
  stored(): Promise<void>;
  /** Frees the disk below the first bytes of the file. */
  free(path: string, bytes: number): Promise<unknown>;
};

export type Tail = {
  /** Reads what is left, though somebody may still be writing, and tells the last line, finished or not. */
  finish(): Promise<void>;
  /** Stops where it is; a later tail goes on from there. */
  close(): Promise<void>;
};

/** Follows a growing file line by line, from where an earlier tail stopped. */
export async function startTail(deps: TailDeps): Promise<Tail> {
  const file = await open(deps.output, 'r');
  const position = await openPosition(deps.position);
  const lines = createLineSplitter(deps.onLine);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let consumed = position.value();
  let freed = 0;
  let leftBytes = Number.POSITIVE_INFINITY;
  let isDirty = true;
  let reading: Promise<void> | undefined;

  async function readChunk(): Promise<boolean> {
    if (leftBytes <= 0) return false;
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, consumed);
    consumed += bytesRead;
    leftBytes -= bytesRead;
    lines.push(chunk.subarray(0, bytesRead));
    if (bytesRead > 0) {
      await deps.room();
      return true;
    }
    // The app can cut its own output short; then it is read from the beginning.
    const { size } = await file.stat();
    if (size < consumed) consumed = 0;
    return size > consumed;
  }

  async function passOver(): Promise<void> {
    const { size } = await file.stat();
    if (size - consumed <= MAX_BEHIND_BYTES) return;
    lines.end();
    deps.onLine(`… ${size - KEPT_BYTES - consumed} bytes skipped: the app wrote output too fast`);
    consumed = size - KEPT_BYTES;
  }

  async function keepPosition(): Promise<void> {
    const told = consumed - lines.pendingBytes();
    if (told === position.value()) return;
    await deps.stored();
    await position.move(told);
    if (told - KEPT_BYTES - freed < FREE_BYTES) return;
    freed = told - KEPT_BYTES;
    await deps.free(deps.output, freed);
  }

  async function readAll(): Promise<void> {
    while (isDirty) {
      isDirty = false;
      await passOver();
      while (await readChunk()) {
        if (consumed - position.value() <= FREE_BYTES) continue;
        await keepPosition();
        await passOver();
      }
      await keepPosition();
    }
  }

  function wake(): Promise<void> {
    isDirty = true;
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  // A read that fails is tried again with the next change, and for the last time by `finish`.
  const stopWatching = watchGrowth(deps.output, () => void wake().catch(() => {}));
  wake().catch(() => {});

  async function closeOnce(): Promise<void> {
    stopWatching();
    leftBytes = 0;
    await reading?.catch(() => {});
    await Promise.all([file.close(), position.close()]);
  }
  const close = once(closeOnce);

  return {
    close,
    finish: once(async () => {
      stopWatching();
      leftBytes = MAX_BEHIND_BYTES;
      await wake();
      lines.end();
      await keepPosition();
      await close();
    }),
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
