import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  accessLogName,
  type KeptLogs,
  type LogSearchPage,
  type LogSource,
  logSourceOf,
  STORED_COMMANDS,
} from '@longshore/contract';
import type { LogSink } from '../engines/log-sink.ts';
import { type AppLog, createAppLog } from './app-log.ts';
import { describeKept } from './kept.ts';
import { ACCESS_FOLDER } from './log-files.ts';
import { type LogQuery, type LogReader, openLogReader } from './log-reader.ts';
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

/** Ids are used as folder names. */
const APP_ID = /^[0-9A-Za-z-]{1,64}$/;

/**
 * Stores the lines of all apps, numbered per app, in segment files `<folder>/<app id>/<first sequence>.log`, and those of
 * a build in `<folder>/<app id>/build-<release>`. The oldest segments are deleted when there are too many. The requests of
 * visitors are a separate log in `<folder>/<app id>/access`.
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
  /** Stores the remaining lines and ends all readers. */
  close(): Promise<void>;
};

export type LogStoreDeps = {
  folder: string;
  clock: { now(): number };
  /** Values that are masked in the lines of an app. */
  secretsOf?: (appId: string) => Promise<string[]>;
  report?: (error: unknown) => void;
  limits?: Partial<typeof DEFAULT_LIMITS>;
};

export function createLogStore(deps: LogStoreDeps): LogStore {
  const { folder, clock, secretsOf = async () => [], report = () => {} } = deps;
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const masks = createMaskCache(secretsOf);
  const output = createLogs(folderOf, limits);
  const access = createLogs((appId) => join(folderOf(appId), ACCESS_FOLDER), {
    ...limits,
    segments: limits.accessSegments,
    lines: limits.accessLines,
  });
  let isClosed = false;

  function folderOf(appId: string): string {
    if (!APP_ID.test(appId))
      throw new RangeError('An app id consists of letters, digits and dashes');
    return join(folder, appId);
  }

  /** One log per app, each in its folder. */
  function createLogs(folderOfLog: (appId: string) => string, limitsOfLog: typeof limits) {
    const logs = new Map<string, AppLog>();
    function of(appId: string): AppLog {
      const existing = logs.get(appId);
      if (existing !== undefined) return existing;
      const mask = () => masks.get(appId);
      const log = createAppLog({
        folder: folderOfLog(appId),
        clock,
        limits: limitsOfLog,
        mask,
        report,
      });
      logs.set(appId, log);
      return log;
    }
    return {
      of,
      filesOf: (appId: string) => ({ folder: folderOfLog(appId), log: of(appId) }),
      reopen(appId: string) {
        if (logs.get(appId)?.isEnded() && !isClosed) logs.delete(appId);
      },
      endAll: () => Promise.all([...logs.values()].map((log) => log.end())),
    };
  }

  function filesOf(appId: string, kind: LogSource | undefined) {
    return (kind === 'access' ? access : output).filesOf(appId);
  }

  function open(appId: string, query: LogQuery, signal: AbortSignal): Promise<LogReader> {
    return openLogReader(filesOf(appId, query.kind), query, signal);
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
    waitForRoom: (appId) => output.of(appId).waitForRoom(),
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
      searchLog({ ...filesOf(appId, search.kind), clock }, search, signal),
    kept: (appId) =>
      describeKept({ output: output.filesOf(appId), access: access.filesOf(appId) }, limits),
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
      // The ended logs stay in the maps, so that a late line does not create the folder again.
      await Promise.all([output.of(appId).end(), access.of(appId).end()]);
      await rm(folderOf(appId), { recursive: true, force: true });
    },
    async close() {
      isClosed = true;
      await Promise.all([output.endAll(), access.endAll()]);
    },
  };
}
