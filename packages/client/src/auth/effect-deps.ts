import type { Session } from '@longshore/contract';
import type { Address, Clock, TabChannel, TabLock } from '../ports.ts';
import type { AuthApi } from './auth-api.ts';
import type { SecurityKeys } from './security-keys.ts';
import type { SessionStore } from './session-store.ts';

/** What the effects act upon. */
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
