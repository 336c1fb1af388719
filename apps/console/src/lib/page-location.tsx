import type { Observable } from '@longshore/client';
import { createContext, type ReactNode, useContext } from 'react';

/** The path in the address bar. */
export type PageLocation = Observable<string> & {
  href(): string;
  navigate(path: string, options?: NavigateOptions): void;
};

type NavigateOptions = {
  replace?: boolean;
  /** Keeps the current query and fragment. */
  keepsQuery?: boolean;
};

type BrowserWindow = Pick<
  Window,
  'location' | 'history' | 'addEventListener' | 'removeEventListener'
>;

/**
 * Minimal routing for the pages before sign-in. React Router is loaded with the dashboard: the sign-in page has a
 * budget of 100 kB.
 */
export function createPageLocation(browser: BrowserWindow): PageLocation {
  const listeners = new Set<() => void>();
  return {
    state: () => browser.location.pathname,
    href: () => browser.location.href,
    subscribe(listener) {
      listeners.add(listener);
      browser.addEventListener('popstate', listener);
      return () => {
        listeners.delete(listener);
        browser.removeEventListener('popstate', listener);
      };
    },
    navigate(path, { replace = false, keepsQuery = false } = {}) {
      const { search, hash } = browser.location;
      const target = keepsQuery ? path + search + hash : path;
      if (replace) browser.history.replaceState(null, '', target);
      else browser.history.pushState(null, '', target);
      for (const listener of [...listeners]) listener();
    },
  };
}

const PageLocationContext = createContext<PageLocation | undefined>(undefined);

type PageLocationProviderProps = { location: PageLocation; children: ReactNode };

export function PageLocationProvider({ location, children }: PageLocationProviderProps) {
  return <PageLocationContext value={location}>{children}</PageLocationContext>;
}

export function usePageLocation(): PageLocation {
  const location = useContext(PageLocationContext);
  if (location === undefined) throw new Error('PageLocationProvider is missing');
  return location;
}
