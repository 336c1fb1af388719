import type { Auth } from './auth/auth.ts';
import { createAuth } from './auth/create-auth.ts';
import type { ClientDeps } from './client-deps.ts';
import { authFetch } from './setup/caller-headers.ts';
import { chooseStorage } from './setup/choose-storage.ts';
import { serviceUrl } from './setup/service-urls.ts';

/** The part of the client that a page needs before anybody is signed in. */
export function openAuth(deps: ClientDeps): { auth: Auth; stop(): void } {
  const { stop, ...auth } = createAuth({
    ...deps,
    url: serviceUrl('auth', deps),
    fetch: authFetch(deps.fetch, deps),
    storage: chooseStorage(deps.storage),
  });
  return {
    auth,
    stop() {
      stop();
      deps.channel?.close();
    },
  };
}
