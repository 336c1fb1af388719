import { appendFile, mkdir, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lastSequence } from './backward-reader.ts';
import type { LogSegments, LogStorage, SegmentRange, StoredLog, StreamEnd } from './log-storage.ts';
import { APP_STREAM, buildStreams, commandStreams } from './log-streams.ts';

/**
 * The requests of visitors are a log of their own inside the folder of the app, with their own numbers, buffer and limits:
 * however many there are, they cost the app none of its lines.
 */
const ACCESS_FOLDER = 'access';
const SEGMENT_NAME = /^(\d{1,15})\.log$/;
/** Ids are used as folder names. */
const APP_ID = /^[0-9A-Za-z-]{1,64}$/;

/**
 * Segments as files `<folder>/<app id>/<first sequence>.log`, those of a build in `<folder>/<app id>/build-<release>`, and the
 * requests of visitors in `<folder>/<app id>/access`.
 */
export function createLogFiles(folder: string): LogStorage {
  function folderOf(appId: string): string {
    if (!APP_ID.test(appId))
      throw new RangeError('An app id consists of letters, digits and dashes');
    return join(folder, appId);
  }
  return {
    isShared: false,
    of(appId, kind) {
      const ofApp = folderOf(appId);
      return createSegmentFiles(kind === 'access' ? join(ofApp, ACCESS_FOLDER) : ofApp);
    },
    remove: (appId) => rm(folderOf(appId), { recursive: true, force: true }),
    resume: async () => {},
    close: async () => {},
  };
}

/** A stream is a folder; the stream of the instances is the folder of the log itself. */
function createSegmentFiles(folder: string): LogSegments {
  const pathOf = (stream: string, segment: number) => join(folder, stream, `${segment}.log`);

  async function list(stream: string): Promise<number[]> {
    const names = await readdir(join(folder, stream)).catch(ifMissing<string[]>([]));
    return names
      .flatMap((name) => SEGMENT_NAME.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((one, other) => one - other);
  }

  const segments: LogSegments = {
    async stored(): Promise<StoredLog> {
      const names = await readdir(folder).catch(ifMissing<string[]>([]));
      const streams = new Map<string, number>();
      for (const stream of [APP_STREAM, ...buildStreams(names), ...commandStreams(names)]) {
        const last = await lastSequence(segments, stream);
        if (last > 0) streams.set(stream, last);
      }
      return { streams, last: Math.max(0, ...streams.values()) };
    },
    list,
    readRange: (stream, segment, range) => readRange(pathOf(stream, segment), range),
    async bytesOf(stream) {
      const paths = (await list(stream)).map((segment) => pathOf(stream, segment));
      const sizes = await Promise.all(paths.map(sizeOf));
      return sizes.reduce((sum, bytes) => sum + bytes, 0);
    },
    /** Removes an incomplete last line, which a crash may leave. */
    async endOf(stream): Promise<StreamEnd> {
      const found = await list(stream);
      const newest = found.at(-1);
      if (newest === undefined) return { segments: found, bytes: 0 };
      const path = pathOf(stream, newest);
      const content = await readFile(path);
      const bytes = content.lastIndexOf('\n') + 1;
      if (bytes < content.length) await truncate(path, bytes);
      return { segments: found, bytes };
    },
    async append({ pieces, removed }) {
      for (const { stream, segment } of removed) await rm(pathOf(stream, segment), { force: true });
      for (const { stream, segment, start, text } of pieces) {
        const path = pathOf(stream, segment);
        if (start === 0) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await appendFile(path, text, { mode: 0o600 });
      }
    },
    removeStream: (stream) => rm(join(folder, stream), { recursive: true, force: true }),
  };
  return segments;
}

async function readRange(
  path: string,
  { start, maxBytes }: { start: number; maxBytes: number },
): Promise<SegmentRange | undefined> {
  const file = await open(path).catch(ifMissing(undefined));
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const from = start < 0 ? Math.max(0, size + start) : start;
    const length = Math.max(0, Math.min(maxBytes, size - from));
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return { bytes: buffer.subarray(0, bytesRead), segmentBytes: size };
  } finally {
    await file.close();
  }
}

/** A segment may be deleted at any time. */
async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** For a `catch`: returns `value` if the file does not exist, and rethrows any other error. */
function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value;
    throw error;
  };
}
