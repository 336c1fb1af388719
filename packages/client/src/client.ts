import type { Auth } from './auth/auth.ts';
import type { ClientDeps } from './client-deps.ts';
import { openAuth } from './open-auth.ts';
import { createServices, type Services } from './services.ts';

export type Client = Services & {
  auth: Auth;
  /** Ends timers, requests, sockets and tab messages. The session stays in storage. */
  stop(): void;
};

/** Everything on one session. Throws the sentences of spec §5 when it is not said where the backend is. */
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
