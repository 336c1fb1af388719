import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppLog, createAppLog } from './app-log.ts';
import { cleanText } from './clean-text.ts';
import type { LogRecord } from './log-record.ts';
import { createPreviousRun } from './previous-run.ts';
import { cursorAfter, readNext } from './read-next.ts';
import { readTail } from './read-tail.ts';

const DEFAULT_LIMITS = {
  segmentBytes: 1024 * 1024,
  segments: 16,
  lines: 10_000,
  characters: 2 * 1024 * 1024,
};

/** How far to look for lines of the app between those of a build. */
const LOOK_BACK = 20;
const LOOK_BACK_MS = 5_000;

/** Ids become folder names. */
const APP_ID = /^[0-9A-Za-z-]{1,64}$/;

/** Where engines put what apps and builds write. The name is one of the contract's log names. */
export type LogSink = {
  append(appId: string, name: string, text: string): void;
  /** Resolves when all lines appended so far are stored, or lost and counted. */
  flush(): Promise<void>;
};

/**
 * Lines of all apps, numbered per app, in segment files `<folder>/<app id>/<first sequence>.log` that outlive
 * instances and restarts. The oldest segments go when there are too many.
 */
export type LogStore = LogSink & {
  /** The last lines, oldest first. */
  tail(appId: string, lines: number, signal: AbortSignal): Promise<LogRecord[]>;
  /** The last texts an app printed, its builds left out. */
  lastLines(appId: string, name: string, lines: number): Promise<string[]>;
  /** The last lines of the run before the newest one. */
  previous(appId: string, lines: number, signal: AbortSignal): Promise<LogRecord[]>;
  /** Everything after a sequence, stored lines first, until the reader leaves or the app's log ends. */
  follow(appId: string, after: number, signal: AbortSignal): AsyncGenerator<LogRecord[]>;
  /** Ends the app's log, deletes it, and takes no more lines of it. */
  remove(appId: string): Promise<void>;
  /** Stores what is left and ends every reader. */
  close(): Promise<void>;
};

export type LogStoreDeps = {
  folder: string;
  clock: { now(): number };
  /** Replaces the secrets of an app in one of its lines. */
  mask?: (appId: string, text: string) => string;
  report?: (error: unknown) => void;
  limits?: Partial<typeof DEFAULT_LIMITS>;
};

export function createLogStore(deps: LogStoreDeps): LogStore {
  const { folder, clock, mask = (_appId, text) => text, report = () => {} } = deps;
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const logs = new Map<string, AppLog>();
  let isClosed = false;

  function folderOf(appId: string): string {
    if (!APP_ID.test(appId))
      throw new RangeError('An app id holds letters, digits and dashes only');
    return join(folder, appId);
  }

  function logOf(appId: string): AppLog {
    const known = logs.get(appId);
    if (known !== undefined) return known;
    const log = createAppLog({ folder: folderOf(appId), clock, limits, report });
    logs.set(appId, log);
    return log;
  }

  async function tail(appId: string, lines: number, signal: AbortSignal): Promise<LogRecord[]> {
    await logOf(appId).stored();
    return readTail(folderOf(appId), lines, signal);
  }

  async function* follow(appId: string, after: number, signal: AbortSignal) {
    const log = logOf(appId);
    let cursor = cursorAfter(after);
    while (!signal.aborted) {
      const version = log.version();
      const isLast = log.isEnded() || isClosed;
      const { records, cursor: moved } = await readNext(folderOf(appId), cursor);
      cursor = moved;
      if (records.length > 0) yield records;
      else if (isLast) return;
      else await log.changed(version, signal);
    }
  }

  return {
    append(appId, name, text) {
      const masked = (line: string) => mask(appId, line);
      if (!isClosed) logOf(appId).append(name, () => cleanText(text, masked));
    },
    async flush() {
      await Promise.all([...logs.values()].map((log) => log.stored()));
    },
    tail,
    async lastLines(appId, name, lines) {
      const looked = await tail(appId, lines * LOOK_BACK, AbortSignal.timeout(LOOK_BACK_MS));
      const printed = looked.filter((record) => record.name === name);
      return printed.slice(-lines).map(({ text }) => text);
    },
    async previous(appId, lines, signal) {
      await logOf(appId).stored();
      const run = createPreviousRun(lines);
      let read = await readNext(folderOf(appId), cursorAfter(0));
      while (read.records.length > 0) {
        signal.throwIfAborted();
        for (const record of read.records) run.add(record);
        read = await readNext(folderOf(appId), read.cursor);
      }
      return run.records();
    },
    follow,
    async remove(appId) {
      // The ended log stays known, so that a late line cannot bring the folder back.
      await logOf(appId).end();
      await rm(folderOf(appId), { recursive: true, force: true });
    },
    async close() {
      isClosed = true;
      await Promise.all([...logs.values()].map((log) => log.end()));
    },
  };
}
