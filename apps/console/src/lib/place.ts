import type { Observable } from './observable.ts';

/** The path in the address bar. */
export type Place = Observable<string> & {
  go(path: string, options?: { isReplacing?: boolean }): void;
};

type Browser = Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>;

/**
 * Enough routing for the pages before sign-in. The router proper is fetched with the dashboard: the sign-in
 * page has a budget of 100 kB.
 */
export function createPlace(browser: Browser): Place {
  const listeners = new Set<() => void>();
  return {
    state: () => browser.location.pathname,
    subscribe(listener) {
      listeners.add(listener);
      browser.addEventListener('popstate', listener);
      return () => {
        listeners.delete(listener);
        browser.removeEventListener('popstate', listener);
      };
    },
    go(path, { isReplacing = false } = {}) {
      if (isReplacing) browser.history.replaceState(null, '', path);
      else browser.history.pushState(null, '', path);
      for (const listener of [...listeners]) listener();
    },
  };
}
