import { type AppRef, createStore, type Logs, type Observable } from '@longshore/client';
import type { LogFilter, LogLine } from '@longshore/contract';
import { errorMessage } from '../../lib/error-message.ts';
import { type NumberedLine, numberedLine } from './model/line-list.ts';
import {
  emptyWindow,
  type LogSelection,
  type LogWindow,
  newerAfter,
  olderBefore,
  paused,
  withHistory,
  withLatest,
  withNewer,
  withOlder,
  withReceived,
  withSelection,
} from './model/log-window.ts';

export type PageState =
  | { kind: 'idle' }
  | { kind: 'loading' }
  | { kind: 'failed'; message: string };
export type LogReaderState = { window: LogWindow; page: PageState };

/** Reads the log of one app: new lines as they arrive, and others from the server when they are needed. */
export type LogReader = Observable<LogReaderState> & {
  receive(line: LogLine): void;
  select(selection: LogSelection): void;
  pause(): void;
  showLatest(): void;
  /** Loads the lines before the first one, unless a page is being loaded. */
  loadOlder(): void;
  /** In history, loads the lines after the last one, unless a page is being loaded. */
  loadNewer(): void;
  /** Repeats what failed. */
  retry(): void;
  /** Shows the part of the log around a line. */
  showAround(number: number): void;
  stop(): void;
};

/** `instance`: only the lines of the instance with this log name. `kind`: only these lines. */
export type ReadLog = AppRef & Pick<LogFilter, 'instance' | 'kind'>;

type LogReaderDeps = {
  log: ReadLog;
  logs: Pick<Logs, 'stream'>;
  /** Publishes received lines a little later, in batches. */
  schedule(flush: () => void): void;
};

const PAGE_LINES = 2_000;
const LINES_AROUND = 500;

export function createLogReader({ log, logs, schedule }: LogReaderDeps): LogReader {
  const store = createStore<LogReaderState>({
    window: emptyWindow({ kind: log.kind }),
    page: { kind: 'idle' },
  });
  const names = new Map<string, string>();
  let loading: AbortController | undefined;
  let lastLoad: (() => void) | undefined;
  let pending: NumberedLine[] = [];
  let lastNumber = 0;
  let isNumbered = false;

  const window = () => store.state().window;
  const show = (next: LogWindow) => store.set({ ...store.state(), window: next });

  function flush(): void {
    const received = pending;
    pending = [];
    show(withReceived(window(), received, { isNumbered }));
  }

  /** Replaces the lines: a page that is being loaded no longer fits. */
  function replace(next: LogWindow): void {
    loading?.abort();
    loading = undefined;
    store.set({ window: next, page: { kind: 'idle' } });
  }

  /** After a failure, nothing is loaded until the user retries or shows other lines. */
  async function load(read: (signal: AbortSignal) => Promise<LogWindow>): Promise<void> {
    if (loading !== undefined || store.state().page.kind === 'failed') return;
    const current = new AbortController();
    loading = current;
    lastLoad = () => void load(read);
    store.set({ ...store.state(), page: { kind: 'loading' } });
    try {
      const next = await read(current.signal);
      if (!current.signal.aborted) store.set({ window: next, page: { kind: 'idle' } });
    } catch (error) {
      if (current.signal.aborted) return;
      store.set({ ...store.state(), page: { kind: 'failed', message: errorMessage(error) } });
    } finally {
      if (loading === current) loading = undefined;
    }
  }

  async function fetchLines(
    range: { before: number; tailLines: number } | { after: number; limit: number },
    signal: AbortSignal,
  ): Promise<NumberedLine[]> {
    const lines: NumberedLine[] = [];
    const request = { ...log, ...filterOf(window().selection), ...range, follow: false };
    await logs.stream(request, {
      signal,
      onLine: (line) => lines.push(numberedLine(line, 0, names)),
    });
    return lines;
  }

  return {
    state: store.state,
    subscribe: store.subscribe,
    receive(line) {
      isNumbered = line.sequence !== undefined;
      const numbered = numberedLine(line, lastNumber, names);
      lastNumber = numbered.number;
      pending.push(numbered);
      if (pending.length === 1) schedule(flush);
    },
    select: (selection) => replace(withSelection(window(), selection)),
    pause: () => show(paused(window())),
    showLatest: () => replace(withLatest(window())),
    loadOlder() {
      const before = olderBefore(window());
      if (before === undefined) return;
      void load(async (signal) => {
        const older = await fetchLines({ before, tailLines: PAGE_LINES }, signal);
        // Lines that were dropped meanwhile would leave a gap.
        if (olderBefore(window()) !== before) return window();
        return withOlder(window(), older, { isComplete: older.length < PAGE_LINES });
      });
    },
    loadNewer() {
      const after = newerAfter(window());
      if (after === undefined) return;
      void load(async (signal) => {
        const newer = await fetchLines({ after, limit: PAGE_LINES }, signal);
        if (newerAfter(window()) !== after) return window();
        return withNewer(window(), newer, { isComplete: newer.length < PAGE_LINES });
      });
    },
    retry() {
      store.set({ ...store.state(), page: { kind: 'idle' } });
      lastLoad?.();
    },
    showAround(number) {
      replace(window());
      void load(async (signal) => {
        const [before, after] = await Promise.all([
          fetchLines({ before: number, tailLines: LINES_AROUND }, signal),
          fetchLines({ after: number - 1, limit: LINES_AROUND }, signal),
        ]);
        const isAtStart = before.length < LINES_AROUND;
        return withHistory(window(), [...before, ...after], { isAtStart });
      });
    },
    stop: () => loading?.abort(),
  };
}

export function filterOf({ kind, from, to }: LogSelection): LogFilter {
  return {
    kind,
    from: from === undefined ? undefined : new Date(from).toISOString(),
    to: to === undefined ? undefined : new Date(to).toISOString(),
  };
}
