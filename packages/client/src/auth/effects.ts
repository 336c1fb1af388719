import type { Session } from '@longshore/contract';
import type { Address, Clock, TabChannel, TabLock } from '../ports.ts';
import type { AuthApi } from './auth-api.ts';
import type { AuthEffects } from './auth-model.ts';
import { authenticate } from './authenticate.ts';
import { importSession } from './import-session.ts';
import { refreshSession } from './refresh-session.ts';
import type { SecurityKeys } from './security-keys.ts';
import type { SessionStore } from './session-store.ts';
import { signOut } from './sign-out.ts';

export type EffectDeps = {
  api: AuthApi;
  store: SessionStore;
  clock: Clock;
  lock: TabLock;
  channel: TabChannel | undefined;
  address: Address | undefined;
  /** A session handed over in memory. */
  session: Session | undefined;
  securityKeys: SecurityKeys;
};

export function createAuthEffects(deps: EffectDeps): AuthEffects {
  return {
    importSession: (signal) => importSession(deps, signal),
    authenticate: (attempt, signal) => authenticate(deps, attempt, signal),
    async deanonymize(request, signal) {
      const lazy = await import('./deanonymize.ts');
      return lazy.deanonymize(deps, request, signal);
    },
    refresh: ({ session, given }, signal) =>
      refreshSession(deps, { given, known: session?.refreshToken }, signal),
    signOut: (request, signal) => signOut(deps, request, signal),
  };
}
