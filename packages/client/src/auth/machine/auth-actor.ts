import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { AuthMachine } from './auth-machine.ts';

export type AuthActor = ActorRefFrom<AuthMachine>;
export type AuthSnapshot = SnapshotFrom<AuthMachine>;

/** The only states in which a refresh token is on its way. */
export function isRefreshing(snapshot: AuthSnapshot): boolean {
  return snapshot.matches('tryingToken') || snapshot.matches({ signedIn: 'refreshing' });
}
