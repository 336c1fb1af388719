import type {
  AddressBar,
  Clock,
  KeyValueStorage,
  SecurityKeys,
  TabChannel,
  TabLock,
  Visibility,
} from '../ports.ts';

/** The browser's implementation of every port. */

export const browserClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as number),
};

export const browserAddressBar: AddressBar = {
  href: () => location.href,
  replace: (href) => history.replaceState(history.state, '', href),
};

export const browserVisibility: Visibility = {
  isVisible: () => document.visibilityState === 'visible',
  listen(listener) {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
};

/** `localStorage`, or memory where the browser denies access to it. */
export function browserStorage(): KeyValueStorage {
  try {
    const key = 'longshore-storage-check';
    localStorage.setItem(key, key);
    localStorage.removeItem(key);
    return localStorage;
  } catch {
    return memoryStorage();
  }
}

function memoryStorage(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

const CHANNEL_NAME = 'longshore-session';

/** Undefined in browsers without `BroadcastChannel`; their tabs share the session through the storage only. */
export function browserTabs(): TabChannel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined;
  const channel = new BroadcastChannel(CHANNEL_NAME);
  return {
    post: (message) => channel.postMessage(message),
    listen(listener) {
      const receive = ({ data }: MessageEvent) => listener(data);
      channel.addEventListener('message', receive);
      return () => channel.removeEventListener('message', receive);
    },
    close: () => channel.close(),
  };
}

const LOCK_NAME = 'longshore-refresh';
/**
 * After this time the job runs without the lock: the tab that holds it is stuck, and the server's grace period allows two
 * refreshes at once.
 */
const LOCK_TIMEOUT_MS = 35_000;

export const browserLock: TabLock = async (job, signal) => {
  // Not available on plain http, except on localhost.
  if (!navigator.locks) return job();
  const timeout = AbortSignal.timeout(LOCK_TIMEOUT_MS);
  let isStarted = false;
  try {
    return await navigator.locks.request(
      LOCK_NAME,
      { signal: AbortSignal.any([signal, timeout]) },
      () => {
        isStarted = true;
        return job();
      },
    );
  } catch (cause) {
    if (isStarted || !timeout.aborted) throw cause;
    return job();
  }
};

/** The WebAuthn code is loaded on first use. */
export const browserSecurityKeys: SecurityKeys = {
  create: async (options, signal) => (await ceremony()).createCredential(options, signal),
  prove: async (options, signal) => (await ceremony()).proveCredential(options, signal),
};

function ceremony() {
  return import('./webauthn-ceremony.ts');
}
