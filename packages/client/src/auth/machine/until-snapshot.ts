import type { AuthActor, AuthSnapshot } from './auth-actor.ts';

/** Resolves with the first snapshot that satisfies, or with the last one of a stopped machine. */
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
