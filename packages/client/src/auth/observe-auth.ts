import type { Auth } from './auth.ts';
import { type AuthState, authStateOf, isSameState } from './auth-state.ts';
import type { AuthActor } from './machine/auth-actor.ts';
import { isSameRegistration, type Registration, registrationOf } from './registration.ts';

/** The machine's snapshots as the outside sees them: the same object until something changes. */
export function observeAuth(actor: AuthActor): Pick<Auth, 'state' | 'registration' | 'subscribe'> {
  const listeners = new Set<() => void>();
  let state: AuthState = { kind: 'loading' };
  let registration: Registration = { kind: 'incomplete', step: 'no-errors' };

  actor.subscribe((snapshot) => {
    const next = authStateOf(snapshot);
    const nextRegistration = registrationOf(snapshot);
    if (isSameState(state, next) && isSameRegistration(registration, nextRegistration)) return;
    if (!isSameState(state, next)) state = next;
    registration = nextRegistration;
    for (const listener of [...listeners]) listener();
  });

  return {
    state: () => state,
    registration: () => registration,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
