import type { Session } from '@longshore/contract';
import type { AddressBar, Clock, SecurityKeys, TabChannel, TabLock } from '../ports.ts';
import type { SessionStore } from '../storage/session-store.ts';
import type { AuthApi } from './auth-api.ts';

/** The dependencies of the auth machine's effects. */
export type EffectDeps = {
  api: AuthApi;
  store: SessionStore;
  clock: Clock;
  lock: TabLock;
  channel: TabChannel | undefined;
  addressBar: AddressBar | undefined;
  /** A session passed in memory. */
  session: Session | undefined;
  securityKeys: SecurityKeys;
};
