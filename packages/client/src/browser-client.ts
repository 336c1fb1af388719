import type { ConsoleConfig } from '@longshore/contract';
import type { Auth } from './auth/auth.ts';
import {
  browserAddressBar,
  browserClock,
  browserLock,
  browserStorage,
  browserTabs,
  browserVisibility,
} from './browser/browser-ports.ts';
import type { ClientDeps } from './client-deps.ts';
import { lazy } from './lazy.ts';
import { openAuth } from './open-auth.ts';
import type { Log } from './ports.ts';
import type { Services } from './services.ts';
import { withRetries } from './timing/with-retries.ts';

/** The client of a page. It runs until the page is closed. */
export type BrowserClient = {
  auth: Auth;
  /** Loaded on the first call, so that the sign-in page stays small. */
  services(): Promise<Services>;
};

/** The client with the browser's ports. Service paths may be relative. */
export function createBrowserClient(paths: ConsoleConfig['services'], log: Log): BrowserClient {
  const deps = browserDeps(paths, log);
  const { auth } = openAuth(deps);
  return {
    auth,
    services: lazy(async () => {
      const { createServices } = await withRetries(() => import('./services.ts'));
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
    domainsUrl: paths.domains && absolute(paths.domains),
    usageUrl: paths.usage && absolute(paths.usage),
    isolationUrl: paths.isolation && absolute(paths.isolation),
    operatorUrl: paths.operator && absolute(paths.operator),
    appsUrl: paths.apps && absolute(paths.apps),
    clock: browserClock,
    fetch: (url, init) => fetch(url, init),
    storage: browserStorage(),
    addressBar: browserAddressBar,
    lock: browserLock,
    visibility: browserVisibility,
    webSocket: WebSocket,
    log,
    ...(channel ? { channel } : {}),
  };
}
