import type { ConsoleConfig } from '@longshore/contract';
import { browserAddress } from './browser/browser-address.ts';
import { browserLock } from './browser/browser-lock.ts';
import { browserStorage } from './browser/browser-storage.ts';
import { browserTabs } from './browser/browser-tabs.ts';
import { type Client, createClient } from './client.ts';
import type { Clock, Log } from './ports.ts';

/** The client on a browser's own clock, storage, tabs, address and sockets. Service paths may be relative. */
export function createBrowserClient(services: ConsoleConfig['services'], log: Log): Client {
  const absolute = (service: string) => new URL(service, location.origin).href;
  const channel = browserTabs();
  return createClient({
    authUrl: absolute(services.auth),
    graphqlUrl: absolute(services.graphql),
    storageUrl: absolute(services.storage),
    functionsUrl: absolute(services.functions),
    logsUrl: absolute(services.logs),
    clock: browserClock,
    fetch: (url, init) => fetch(url, init),
    storage: browserStorage(),
    address: browserAddress,
    lock: browserLock,
    webSocket: WebSocket,
    log,
    ...(channel ? { channel } : {}),
  });
}

const browserClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as number),
};
