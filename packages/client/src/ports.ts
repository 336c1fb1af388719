/** The outside world of the client. A browser gives its own, a test gives fakes. */

export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
};

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** What the session is kept in; `localStorage` is one. */
export type KeyValueStorage = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};

/** Reaches the other tabs of this browser, never the sender itself; a `BroadcastChannel` behind it. */
export type TabChannel = {
  post(message: unknown): void;
  listen(listener: (message: unknown) => void): () => void;
  close(): void;
};

/** Runs one job at a time across all tabs; `navigator.locks` behind it. Rejects when aborted while waiting. */
export type TabLock = <T>(job: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** The browser's address bar. */
export type Address = {
  href(): string;
  /** Replaces the address without loading a page. */
  replace(href: string): void;
};

/** Whether the page can be seen. A tab behind others cannot. */
export type Visibility = {
  isVisible(): boolean;
  listen(listener: () => void): () => void;
};

/** Takes what went wrong and was survived. Never gets a token or a password. */
export type Log = (event: string, error: unknown) => void;
