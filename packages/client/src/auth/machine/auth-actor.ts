import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { AuthMachine } from './auth-machine.ts';

export type AuthActor = ActorRefFrom<AuthMachine>;
export type AuthSnapshot = SnapshotFrom<AuthMachine>;

/** True in the only two states that send a refresh request. */
export function isRefreshing(snapshot: AuthSnapshot): boolean {
  return snapshot.matches('tryingToken') || snapshot.matches({ signedIn: 'refreshing' });
}

/** Resolves with the first snapshot that satisfies the condition, or with the last one of a stopped machine. */
export function untilSnapshot(
  actor: AuthActor,
  isReached: (snapshot: AuthSnapshot) => boolean,
): Promise<AuthSnapshot> {
  return new Promise((resolve) => {
    const first = actor.getSnapshot();
    if (isReached(first) || first.status !== 'active') return resolve(first);
    const subscription = actor.subscribe({
      next: (snapshot) => isReached(snapshot) && finish(),
      complete: finish,
    });
    function finish() {
      subscription.unsubscribe();
      resolve(actor.getSnapshot());
    }
  });
}
