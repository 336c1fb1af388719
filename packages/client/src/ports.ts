import type { AuthError } from '@longshore/contract';

/** What the client needs from its environment: `browser/browser-ports.ts` in a browser, fakes in tests. */

export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
};

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Where the session is stored, for example `localStorage`. */
export type KeyValueStorage = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};

/** Sends messages to the other tabs of this browser, never to the sender; a `BroadcastChannel` in browsers. */
export type TabChannel = {
  post(message: unknown): void;
  listen(listener: (message: unknown) => void): () => void;
  close(): void;
};

/** Runs one job at a time across all tabs; `navigator.locks` in browsers. Rejects when aborted while waiting. */
export type TabLock = <T>(job: () => Promise<T>, signal: AbortSignal) => Promise<T>;

export type AddressBar = {
  href(): string;
  /** Replaces the address without loading a page. */
  replace(href: string): void;
};

/** Whether the page is visible. A tab in the background is not. */
export type Visibility = {
  isVisible(): boolean;
  listen(listener: () => void): () => void;
};

/** WebAuthn: takes the options that the server sends and returns the credential that it verifies. */
export type SecurityKeys = {
  create(options: unknown, signal: AbortSignal): Promise<SecurityKeyResult>;
  prove(options: unknown, signal: AbortSignal): Promise<SecurityKeyResult>;
};

export type SecurityKeyResult = { ok: true; body: unknown } | { ok: false; error: AuthError };

/** Receives errors that the client recovered from. Never gets a token or a password. */
export type Log = (event: string, error: unknown) => void;
