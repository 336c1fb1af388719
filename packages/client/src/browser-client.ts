import type { ConsoleConfig } from '@longshore/contract';
import type { Auth } from './auth/auth.ts';
import { browserAddress } from './browser/browser-address.ts';
import { browserLock } from './browser/browser-lock.ts';
import { browserStorage } from './browser/browser-storage.ts';
import { browserTabs } from './browser/browser-tabs.ts';
import { browserVisibility } from './browser/browser-visibility.ts';
import type { ClientDeps } from './client-deps.ts';
import { openAuth } from './open-auth.ts';
import type { Clock, Log } from './ports.ts';
import type { Services } from './services.ts';
import { once } from './setup/once.ts';

/** The client of a page, for as long as the page lives. */
export type BrowserClient = {
  auth: Auth;
  /** Loaded when first asked for, so that the page to sign in on stays small. */
  services(): Promise<Services>;
};

/** The client on a browser's own clock, storage, tabs, address and sockets. Service paths may be relative. */
export function createBrowserClient(paths: ConsoleConfig['services'], log: Log): BrowserClient {
  const deps = browserDeps(paths, log);
  const { auth } = openAuth(deps);
  return {
    auth,
    services: once(async () => {
      const { createServices } = await import('./services.ts');
      return createServices({ ...deps, auth });
    }),
  };
}

function browserDeps(paths: ConsoleConfig['services'], log: Log): ClientDeps {
  const absolute = (path: string) => new URL(path, location.origin).href;
  const channel = browserTabs();
  return {
    authUrl: absolute(paths.auth),
    graphqlUrl: absolute(paths.graphql),
    storageUrl: absolute(paths.storage),
    functionsUrl: absolute(paths.functions),
    logsUrl: absolute(paths.logs),
    connectUrl: absolute(paths.connect),
    ...(paths.domains === undefined ? {} : { domainsUrl: absolute(paths.domains) }),
    clock: browserClock,
    fetch: (url, init) => fetch(url, init),
    storage: browserStorage(),
    address: browserAddress,
    lock: browserLock,
    visibility: browserVisibility,
    webSocket: WebSocket,
    log,
    ...(channel ? { channel } : {}),
  };
}

const browserClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as number),
};
