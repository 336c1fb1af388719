import { initialContext } from './auth-model.ts';
import { type AuthMachineDeps, setUpAuth } from './auth-setup.ts';
import { authenticatingState } from './authenticating.ts';
import { signedInState } from './signed-in.ts';
import { signedOutState } from './signed-out.ts';
import { startingState } from './starting.ts';
import { tryingTokenState } from './trying-token.ts';

export type AuthMachine = ReturnType<typeof createAuthMachine>;

/**
 * The states of spec-map 4.1. The machine decides; `effects` send requests, write the storage and notify the other tabs.
 * They write the storage because a refreshed token must be stored before another tab may refresh.
 *
 *   starting ──► signedOut ◄──► authenticating ──► signedIn { waiting ◄──► refreshing }
 *      └──────────────────────────────────────────────▲  │
 *                  signedOut.signingOut ◄────────────────┘
 *   signedOut ◄──► tryingToken ──► signedIn, when another tab sends a token
 */
export function createAuthMachine(deps: AuthMachineDeps) {
  const setup = setUpAuth(deps);
  return setup.createMachine({
    id: 'auth',
    context: initialContext(),
    initial: 'starting',
    states: {
      starting: startingState(setup),
      signedOut: signedOutState(setup),
      authenticating: authenticatingState(setup),
      tryingToken: tryingTokenState(setup),
      signedIn: signedInState(setup),
    },
  });
}
