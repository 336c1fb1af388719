import { type AppRef, createStore, type Logs, type Observable } from '@longshore/client';
import { filterOf } from './log-reader.ts';
import type { LogSelection } from './model/log-window.ts';

/** What the server has found so far of a text in a selection, newest first. */
export type FoundLines = {
  text: string;
  selection: LogSelection;
  numbers: readonly number[];
  /** The server searched the lines before this number; undefined until its first response. */
  until: number | undefined;
  /** From 0 to 1. */
  progress: number;
  state: 'idle' | 'waiting' | 'searching' | 'partial' | 'done' | 'failed';
  message?: string;
};

/** Searches everything that the server keeps of a log. */
export type LogFinder = Observable<FoundLines> & {
  /** Begins after a short pause, so that a word that is being typed is one search. */
  search(text: string, selection: LogSelection): void;
  /** Continues a search that stopped because it had found many lines. */
  searchMore(): void;
  stop(): void;
};

type LogFinderDeps = {
  app: AppRef;
  logs: Pick<Logs, 'search'>;
  /** Runs the callback after the pause; returns how to cancel it. */
  delay(callback: () => void): () => void;
};

/** A search stops when it has found this many more lines. */
const HITS_AT_ONCE = 5_000;

/** Before the server has answered. */
export function nothingFound(text: string, selection: LogSelection): FoundLines {
  const state = text === '' ? 'idle' : 'waiting';
  return { text, selection, numbers: [], until: undefined, progress: 0, state };
}

export function createLogFinder({ app, logs, delay }: LogFinderDeps): LogFinder {
  const store = createStore<FoundLines>(nothingFound('', {}));
  let cancelDelay = () => {};
  let searching: AbortController | undefined;
  let continueSearch: (() => void) | undefined;

  function stop(): void {
    cancelDelay();
    searching?.abort();
    continueSearch = undefined;
  }

  async function run(text: string, selection: LogSelection, before?: number): Promise<void> {
    const current = new AbortController();
    const { signal } = current;
    searching = current;
    store.set({ ...store.state(), state: 'searching' });
    const most = store.state().numbers.length + HITS_AT_ONCE;
    for (let next = before; ; ) {
      const page = await logs.search(
        { ...app, ...filterOf(selection), text, before: next },
        { signal },
      );
      if (signal.aborted) return;
      const found = store.state();
      if (!page.ok) return store.set({ ...found, state: 'failed', message: page.error.message });
      const { hits, oldest } = page.data;
      const numbers = [...found.numbers, ...hits.map(({ sequence }) => sequence)];
      const until = found.until ?? page.data.until;
      next = page.data.next;
      const progress = next === undefined ? 1 : (until - next) / Math.max(1, until - oldest);
      const state = next === undefined ? 'done' : numbers.length >= most ? 'partial' : 'searching';
      store.set({ text, selection, numbers, until, progress, state });
      if (state === 'searching') continue;
      continueSearch = state === 'done' ? undefined : () => void run(text, selection, next);
      return;
    }
  }

  return {
    state: store.state,
    subscribe: store.subscribe,
    search(text, selection) {
      stop();
      store.set(nothingFound(text, selection));
      if (text !== '') cancelDelay = delay(() => void run(text, selection));
    },
    searchMore() {
      const next = continueSearch;
      continueSearch = undefined;
      next?.();
    },
    stop,
  };
}
