import { constants, unwatchFile, watch, watchFile } from 'node:fs';
import { open } from 'node:fs/promises';
import { createLineSplitter } from '../../processes/line-splitter.ts';

/** Small enough that a chunk of empty lines fits into the log buffer. */
const CHUNK_BYTES = 32_768;
/** Disk space of consumed output is freed in steps of this size. */
const FREE_STEP_BYTES = 4 * 1_048_576;
/** The end of the output is kept, for the last lines of a crash. */
const KEPT_BYTES = 131_072;
/** Older output is skipped: an app can make its output file terabytes long with one call. */
const MAX_UNREAD_BYTES = 64 * 1_048_576;

export type FollowOptions = {
  output: string;
  position: string;
  onLine(line: string): void;
  /** Resolves when the log accepts more lines. Until then the file keeps them. */
  waitForRoom(): Promise<void>;
  /** Resolves when the emitted lines are stored: only then the position may advance. */
  flush(): Promise<void>;
  /** Frees the disk space of the first bytes of the file. */
  free(path: string, bytes: number): Promise<unknown>;
};

export type OutputFollower = {
  /** Reads the rest, even if the file still grows, and emits the last line, complete or not. */
  finish(): Promise<void>;
  /** Stops at the current position; a later follower continues there. */
  close(): Promise<void>;
};

/** Follows a growing file line by line, from the position where an earlier follower stopped. */
export async function followOutput(deps: FollowOptions): Promise<OutputFollower> {
  const file = await open(deps.output, 'r');
  const position = await openPositionFile(deps.position);
  const lines = createLineSplitter(deps.onLine);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let consumed = position.value();
  let freed = 0;
  let remainingBytes = Number.POSITIVE_INFINITY;
  let isDirty = true;
  let reading: Promise<void> | undefined;

  async function readChunk(): Promise<boolean> {
    if (remainingBytes <= 0) return false;
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, consumed);
    consumed += bytesRead;
    remainingBytes -= bytesRead;
    lines.push(chunk.subarray(0, bytesRead));
    if (bytesRead > 0) {
      await deps.waitForRoom();
      return true;
    }
    // The app can truncate its own output; then it is read from the beginning.
    const { size } = await file.stat();
    if (size < consumed) consumed = 0;
    return size > consumed;
  }

  async function skipOldOutput(): Promise<void> {
    const { size } = await file.stat();
    if (size - consumed <= MAX_UNREAD_BYTES) return;
    lines.end();
    deps.onLine(`… ${size - KEPT_BYTES - consumed} bytes skipped: the app wrote output too fast`);
    consumed = size - KEPT_BYTES;
  }

  async function storePosition(): Promise<void> {
    const emitted = consumed - lines.pendingBytes();
    if (emitted === position.value()) return;
    await deps.flush();
    await position.write(emitted);
    if (emitted - KEPT_BYTES - freed < FREE_STEP_BYTES) return;
    freed = emitted - KEPT_BYTES;
    await deps.free(deps.output, freed);
  }

  async function readAll(): Promise<void> {
    while (isDirty) {
      isDirty = false;
      await skipOldOutput();
      while (await readChunk()) {
        if (consumed - position.value() <= FREE_STEP_BYTES) continue;
        await storePosition();
        await skipOldOutput();
      }
      await storePosition();
    }
  }

  function wake(): Promise<void> {
    isDirty = true;
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  // A failed read is retried with the next change, and for the last time by `finish`.
  const stopWatching = watchGrowth(deps.output, () => void wake().catch(() => {}));
  wake().catch(() => {});

  async function closeOnce(): Promise<void> {
    stopWatching();
    remainingBytes = 0;
    await reading?.catch(() => {});
    await Promise.all([file.close(), position.close()]);
  }
  const close = once(closeOnce);

  return {
    close,
    finish: once(async () => {
      stopWatching();
      remainingBytes = MAX_UNREAD_BYTES;
      await wake();
      lines.end();
      await storePosition();
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

/** A number stored in a file. It is overwritten in one write of fixed length, so it is never incomplete. */
async function openPositionFile(path: string): Promise<PositionFile> {
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

const POLL_INTERVAL_MS = 1_000;

/** Calls `changed` when a file changes. Returns a function that stops watching. */
export function watchGrowth(path: string, changed: () => void): () => void {
  try {
    const watcher = watch(path, { persistent: false }, changed);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    // The system has no file watches left: poll instead.
    watchFile(path, { interval: POLL_INTERVAL_MS, persistent: false }, changed);
    return () => unwatchFile(path, changed);
  }
}
