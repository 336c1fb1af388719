import { constants, unwatchFile, watch, watchFile } from 'node:fs';
import { open } from 'node:fs/promises';
import { createLineSplitter } from '../../processes/line-splitter.ts';

/** So small that its lines, all of them empty, find room in the log. */
const CHUNK_BYTES = 32_768;
/** Consumed output is given back to the disk in pieces of this size. */
const FREE_STEP_BYTES = 4 * 1_048_576;
/** The end of the output stays, for the last lines of a crash. */
const KEPT_BYTES = 131_072;
/** What lies further behind is passed over: the app can make its output terabytes long with one call. */
const MAX_UNREAD_BYTES = 64 * 1_048_576;

export type FollowOptions = {
  output: string;
  position: string;
  onLine(line: string): void;
  /** Resolves when there is room for more lines. Meanwhile the file keeps them. */
  waitForRoom(): Promise<void>;
  /** Resolves when the lines told so far are stored: only then the position may move on. */
  flush(): Promise<void>;
  /** Frees the disk below the first bytes of the file. */
  free(path: string, bytes: number): Promise<unknown>;
};

export type OutputFollower = {
  /** Reads what is left, though somebody may still be writing, and tells the last line, finished or not. */
  finish(): Promise<void>;
  /** Stops where it is; a later tail goes on from there. */
  close(): Promise<void>;
};

/** Follows a growing file line by line, from where an earlier tail stopped. */
export async function followOutput(deps: FollowOptions): Promise<OutputFollower> {
  const file = await open(deps.output, 'r');
  const position = await openPositionFile(deps.position);
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
      await deps.waitForRoom();
      return true;
    }
    // The app can cut its own output short; then it is read from the beginning.
    const { size } = await file.stat();
    if (size < consumed) consumed = 0;
    return size > consumed;
  }

  async function passOver(): Promise<void> {
    const { size } = await file.stat();
    if (size - consumed <= MAX_UNREAD_BYTES) return;
    lines.end();
    deps.onLine(`… ${size - KEPT_BYTES - consumed} bytes skipped: the app wrote output too fast`);
    consumed = size - KEPT_BYTES;
  }

  async function keepPosition(): Promise<void> {
    const told = consumed - lines.pendingBytes();
    if (told === position.value()) return;
    await deps.flush();
    await position.write(told);
    if (told - KEPT_BYTES - freed < FREE_STEP_BYTES) return;
    freed = told - KEPT_BYTES;
    await deps.free(deps.output, freed);
  }

  async function readAll(): Promise<void> {
    while (isDirty) {
      isDirty = false;
      await passOver();
      while (await readChunk()) {
        if (consumed - position.value() <= FREE_STEP_BYTES) continue;
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
      leftBytes = MAX_UNREAD_BYTES;
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

const DIGITS = 20;

export type PositionFile = {
  value(): number;
  write(to: number): Promise<void>;
  close(): Promise<void>;
};

/** A number kept in a file. It is always overwritten whole, in one write, so it is never half there. */
export async function openPositionFile(path: string): Promise<PositionFile> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  let value = Number.parseInt(await file.readFile('utf8'), 10) || 0;
  return {
    value: () => value,
    async write(to) {
      value = to;
      await file.write(String(to).padStart(DIGITS, '0'), 0);
    },
    close: () => file.close(),
  };
}

const LOOK_AGAIN_MS = 1_000;

/** Calls back when a file changes. Answers how to stop. */
export function watchGrowth(path: string, changed: () => void): () => void {
  try {
    const watcher = watch(path, { persistent: false }, changed);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    // The machine has no watches left to give: looking from time to time is better than no logs.
    watchFile(path, { interval: LOOK_AGAIN_MS, persistent: false }, changed);
    return () => unwatchFile(path, changed);
  }
}
