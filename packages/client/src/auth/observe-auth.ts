import { createStore } from '../store.ts';
import type { Auth } from './auth.ts';
import { type AuthState, authStateOf, isSameState } from './auth-state.ts';
import type { AuthActor } from './machine/auth-actor.ts';
import { isSameRegistration, type Registration, registrationOf } from './registration.ts';

type Observed = { state: AuthState; registration: Registration };

/** The machine's snapshots as the public auth state. The objects stay the same until something changes. */
export function observeAuth(actor: AuthActor): Pick<Auth, 'state' | 'registration' | 'subscribe'> {
  const store = createStore<Observed>({
    state: { kind: 'loading' },
    registration: { kind: 'incomplete', step: 'no-errors' },
  });

  actor.subscribe((snapshot) => {
    const current = store.state();
    const state = authStateOf(snapshot);
    const registration = registrationOf(snapshot);
    const isSame = isSameState(current.state, state);
    if (isSame && isSameRegistration(current.registration, registration)) return;
    store.set({ state: isSame ? current.state : state, registration });
  });

  return {
    state: () => store.state().state,
    registration: () => store.state().registration,
    subscribe: store.subscribe,
  };
}
