import {
  accessLogName,
  type KeptLogs,
  type LogSearchPage,
  type LogSource,
  logSourceOf,
  STORED_COMMANDS,
} from '@longshore/contract';
import type { Change } from '../db/change.ts';
import type { LogSink } from '../engines/log-sink.ts';
import { type AppLog, createAppLog } from './app-log.ts';
import { describeKept } from './kept.ts';
import { type LogQuery, type LogReader, type OpenLog, openLogReader } from './log-reader.ts';
import type { LogKind, LogStorage } from './log-storage.ts';
import { createMaskCache, type Mask } from './mask.ts';
import { type LogSearch, searchLog } from './search.ts';

const MEBIBYTE = 1024 * 1024;

const DEFAULT_LIMITS = {
  segmentBytes: MEBIBYTE,
  segments: 16,
  buildSegments: 4,
  builds: 10,
  commandSegments: 2,
  commands: STORED_COMMANDS,
  /** Twice the number of lines that an engine appends at most between two calls of `waitForRoom`. */
  lines: 65_536,
  characters: 2 * MEBIBYTE,
  /** For the requests of visitors. */
  accessSegments: 8,
  accessLines: 8_192,
};

/** The lines of one instance or build are searched in the last `lines * LOOK_BACK_FACTOR` lines of the app. */
const LOOK_BACK_FACTOR = 20;
const LAST_LINES_TIMEOUT_MS = 5_000;

/**
 * Stores the lines of all apps, numbered per app, in segments. The oldest segments are deleted when there are too many. The
 * requests of visitors are a separate log.
 *
 * With a shared storage, the stores of several servers read the same logs, and one of them writes: the one whose `resume` was
 * called last. The lines that are appended to the others are dropped. A store lives as long as its server, whichever roles the
 * server has in the meantime.
 */
export type LogStore = LogSink & {
  /** Adds lines about requests of visitors. */
  appendAccess(appId: string, lines: { at: number; text: string }[]): void;
  /** Must be called before an app writes lines: reloads its secrets, and reopens its log if it was removed. */
  prepareLog(appId: string): void;
  mask(appId: string): Promise<Mask>;
  /** Must be called when there are new secrets that an app, or without an id any app, might print. */
  invalidateMasks(appId?: string): void;
  open(appId: string, query: LogQuery, signal: AbortSignal): Promise<LogReader>;
  /** One page of the lines that contain a text, newest first. */
  search(appId: string, search: LogSearch, signal: AbortSignal): Promise<LogSearchPage>;
  /** What is stored of an app, and how much is stored at most. */
  kept(appId: string): Promise<KeptLogs>;
  /** The texts of the last lines of one instance or build. */
  lastLines(appId: string, name: string, lines: number): Promise<string[]>;
  /** Ends and deletes the app's log. Later lines are ignored until `prepareLog`. */
  remove(appId: string): Promise<void>;
  /**
   * Must be called when this server becomes the leader, before any line is appended and before records of the engine are read. Once
   * it resolves, no other server writes any more, and what they have written counts: numbers of lines continue after theirs.
   */
  resume(): Promise<void>;
  /** Stores the remaining lines and ends all readers. */
  close(): Promise<void>;
};

export type LogStoreDeps = {
  storage: LogStorage;
  /** Changes of the database, for the lines of other servers. Needed with a shared storage. */
  listen?: (listener: (change: Change) => void) => () => void;
  clock: { now(): number };
  /** Values that are masked in the lines of an app. */
  secretsOf?: (appId: string) => Promise<string[]>;
  report?: (error: unknown) => void;
  limits?: Partial<typeof DEFAULT_LIMITS>;
};

export function createLogStore(deps: LogStoreDeps): LogStore {
  const { storage, clock, secretsOf = async () => [], report = () => {} } = deps;
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const masks = createMaskCache(secretsOf);
  const output = createLogs('output', limits);
  const access = createLogs('access', {
    ...limits,
    segments: limits.accessSegments,
    lines: limits.accessLines,
  });
  const { isShared } = storage;
  const stopListening = (isShared ? deps.listen?.(onChange) : undefined) ?? (() => {});
  let isClosed = false;

  /** One log of this kind per app. */
  function createLogs(kind: LogKind, limitsOfLog: typeof limits) {
    const logs = new Map<string, OpenLog>();
    function open(appId: string): OpenLog {
      const existing = logs.get(appId);
      if (existing !== undefined) return existing;
      const segments = storage.of(appId, kind);
      const mask = () => masks.get(appId);
      const log = createAppLog({ segments, isShared, clock, limits: limitsOfLog, mask, report });
      logs.set(appId, { segments, log });
      return { segments, log };
    }
    /** Another server stored or removed lines. */
    async function lookAgain(appId: string, last: number): Promise<void> {
      const { log } = logs.get(appId) ?? {};
      if (log === undefined || log.isEnded()) return;
      if (last > 0) log.lookAgain(last);
      else if ((await log.latest()).size === 0) {
        logs.delete(appId);
        await log.end();
      }
    }
    return {
      open,
      of: (appId: string) => open(appId).log,
      reopen(appId: string) {
        if (logs.get(appId)?.log.isEnded() && !isClosed) logs.delete(appId);
      },
      lookAgain,
      each(act: (log: AppLog) => void) {
        for (const { log } of logs.values()) act(log);
      },
      endAll: () => Promise.all([...logs.values()].map(({ log }) => log.end())),
    };
  }

  function onChange(change: Change): void {
    if (change.kind === 'missed')
      for (const logs of [output, access]) logs.each((log) => log.lookAgain());
    if (change.kind !== 'log') return;
    const { appId, log, last } = change.change;
    const logs = log === 'access' ? access : output;
    void logs.lookAgain(appId, last).catch(report);
  }

  function openLog(appId: string, kind: LogSource | undefined): OpenLog {
    return (kind === 'access' ? access : output).open(appId);
  }

  function open(appId: string, query: LogQuery, signal: AbortSignal): Promise<LogReader> {
    return openLogReader(openLog(appId, query.kind), query, signal);
  }

  function resumeLogs(): void {
    if (isShared) for (const logs of [output, access]) logs.each((log) => log.resume());
  }

  function appendRecord(appId: string, path: string, value: unknown): void {
    if (!isClosed) output.of(appId).appendRecord({ path, value });
  }

  return {
    append(appId, name, text) {
      if (!isClosed) output.of(appId).append(name, text);
    },
    appendAccess(appId, lines) {
      if (isClosed) return;
      const name = accessLogName(appId);
      for (const { at, text } of lines) access.of(appId).append(name, text, at);
    },
    ...(isShared ? { appendRecord } : {}),
    waitForRoom: (appId, signal) => output.of(appId).waitForRoom(signal),
    flush: (appId) => output.of(appId).settled(),
    prepareLog(appId) {
      masks.invalidate(appId);
      output.reopen(appId);
      access.reopen(appId);
    },
    mask: masks.get,
    invalidateMasks: masks.invalidate,
    open,
    search: (appId, search, signal) =>
      searchLog({ ...openLog(appId, search.kind), clock }, search, signal),
    kept: (appId) =>
      describeKept({ output: output.open(appId), access: access.open(appId) }, limits),
    async lastLines(appId, name, lines) {
      const signal = AbortSignal.timeout(LAST_LINES_TIMEOUT_MS);
      const tailLines = lines * LOOK_BACK_FACTOR;
      const query = { tailLines, kind: logSourceOf(name), follow: false, previous: false };
      const texts: string[] = [];
      for await (const records of (await open(appId, query, signal))(signal)) {
        for (const record of records) if (record.name === name) texts.push(record.text);
      }
      return texts.slice(-lines);
    },
    async remove(appId) {
      // The ended logs stay in the maps, so that a late line does not create a log again.
      await Promise.all([output.of(appId).end(), access.of(appId).end()]);
      await storage.remove(appId);
    },
    async resume() {
      // Before: lines that could not be stored in an earlier term are not repeated in the next one. After: others have written.
      resumeLogs();
      await storage.resume();
      resumeLogs();
    },
    async close() {
      isClosed = true;
      stopListening();
      await Promise.all([output.endAll(), access.endAll()]);
      await storage.close();
    },
  };
}
