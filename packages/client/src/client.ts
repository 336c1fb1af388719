import type { Auth } from './auth/auth.ts';
import type { ClientDeps } from './client-deps.ts';
import { openAuth } from './open-auth.ts';
import { createServices, type Services } from './services.ts';

export type Client = Services & {
  auth: Auth;
  /** Stops timers, requests, sockets and tab messages. The session stays in the storage. */
  stop(): void;
};

/** All services with one session. Throws if the deps do not contain the backend's URLs or subdomain (spec-map 5.1.10). */
export function createClient(deps: ClientDeps): Client {
  const { auth, stop: stopAuth } = openAuth(deps);
  const { stop: stopServices, ...services } = createServices({ ...deps, auth });
  return {
    auth,
    ...services,
    stop() {
      stopServices();
      stopAuth();
    },
  };
}
