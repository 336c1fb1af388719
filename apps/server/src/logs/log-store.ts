import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppLog, createAppLog } from './app-log.ts';
import type { Mask } from './mask.ts';
import { createMasks } from './masks.ts';
import { type LinesWish, type OpenLines, openLines } from './open-lines.ts';

const MEBIBYTE = 1024 * 1024;

const DEFAULT_LIMITS = {
  segmentBytes: MEBIBYTE,
  segments: 16,
  buildSegments: 4,
  builds: 10,
  /** Twice as many as a piece of output can hold of which nothing is read before there is room. */
  lines: 65_536,
  characters: 2 * MEBIBYTE,
};

/** How far to look for lines of one instance between those of others. */
const LOOK_BACK = 20;
const LOOK_BACK_MS = 5_000;

/** Ids become folder names. */
const APP_ID = /^[0-9A-Za-z-]{1,64}$/;

/** Where engines put what apps and builds write. The name is one of the contract's log names. */
export type LogSink = {
  append(appId: string, name: string, text: string): void;
  /** Resolves when there is room for many lines of the app. Who can wait loses none. */
  room(appId: string): Promise<void>;
  /** Resolves when all lines of the app appended so far are stored, or lost and counted. */
  flush(appId: string): Promise<void>;
};

/**
 * Lines of all apps, numbered per app, in segment files `<folder>/<app id>/<first sequence>.log`, and those of a build in
 * `<folder>/<app id>/build-<release>`. They outlive instances and restarts. The oldest go when there are too many.
 */
export type LogStore = LogSink & {
  /** Lines of the app are to come, of secrets that may be new; also when it had been removed. */
  begin(appId: string): void;
  mask(appId: string): Promise<Mask>;
  /** There are new secrets that any app might print. */
  renewMasks(): void;
  open(appId: string, wish: LinesWish, signal: AbortSignal): Promise<OpenLines>;
  /** The last texts of one instance. */
  lastLines(appId: string, name: string, lines: number): Promise<string[]>;
  /** Ends the app's log, deletes it, and takes no more lines of it. */
  remove(appId: string): Promise<void>;
  /** Stores what is left and ends every reader. */
  close(): Promise<void>;
};

export type LogStoreDeps = {
  folder: string;
  clock: { now(): number };
  /** What no line of an app may show. Without it, nothing is secret. */
  secretsOf?: (appId: string) => Promise<string[]>;
  report?: (error: unknown) => void;
  limits?: Partial<typeof DEFAULT_LIMITS>;
};

export function createLogStore(deps: LogStoreDeps): LogStore {
  const { folder, clock, secretsOf = async () => [], report = () => {} } = deps;
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const masks = createMasks(secretsOf);
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
    const mask = () => masks.of(appId);
    const log = createAppLog({ folder: folderOf(appId), clock, limits, mask, report });
    logs.set(appId, log);
    return log;
  }

  function open(appId: string, wish: LinesWish, signal: AbortSignal): Promise<OpenLines> {
    return openLines({ folder: folderOf(appId), log: logOf(appId) }, wish, signal);
  }

  return {
    append(appId, name, text) {
      if (!isClosed) logOf(appId).append(name, text);
    },
    room: (appId) => logOf(appId).room(),
    flush: (appId) => logOf(appId).settled(),
    begin(appId) {
      masks.renew(appId);
      if (logs.get(appId)?.isEnded() && !isClosed) logs.delete(appId);
    },
    mask: masks.of,
    renewMasks: masks.renew,
    open,
    async lastLines(appId, name, lines) {
      const signal = AbortSignal.timeout(LOOK_BACK_MS);
      const tailLines = lines * LOOK_BACK;
      const wish = { tailLines, kind: 'app', follow: false, previous: false } as const;
      const texts: string[] = [];
      for await (const records of (await open(appId, wish, signal))(signal)) {
        for (const record of records) if (record.name === name) texts.push(record.text);
      }
      return texts.slice(-lines);
    },
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
