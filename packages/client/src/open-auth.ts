import type { Auth } from './auth/auth.ts';
import { createAuth } from './auth/create-auth.ts';
import type { ClientDeps } from './client-deps.ts';
import { authFetch } from './http/caller-headers.ts';
import { serviceUrl } from './http/service-urls.ts';
import type { KeyValueStorage } from './ports.ts';

/** The part of the client that a page needs before the user is signed in. */
export function openAuth(deps: ClientDeps): { auth: Auth; stop(): void } {
  const { clock, channel, lock, addressBar, session, securityKeys } = deps;
  const { autoRefresh, refreshIntervalSeconds } = deps;
  const { stop, ...auth } = createAuth({
    url: serviceUrl('auth', deps),
    clock,
    fetch: authFetch(deps.fetch, deps),
    storage: openStorage(deps.storage),
    channel,
    lock,
    addressBar,
    session,
    securityKeys,
    autoRefresh,
    refreshIntervalSeconds,
  });
  return {
    auth,
    stop() {
      stop();
      channel?.close();
    },
  };
}

/** The code of the optional storage types is loaded only when one is chosen. */
function openStorage(storage: ClientDeps['storage']): KeyValueStorage | Promise<KeyValueStorage> {
  if ('getItem' in storage) return storage;
  return import('./storage/session-storage.ts').then(({ openSessionStorage }) =>
    openSessionStorage(storage),
  );
}
