import { assign } from 'xstate';
import { requireValue } from './auth-model.ts';
import type { AuthSetup } from './auth-setup.ts';
import { contextAfter, contextForAttempt, contextWithSession } from './context-updates.ts';

/** The substates show why the user is signed out and what is needed next (spec-map 4.1.5). */
export function signedOutState({ createStateConfig }: AuthSetup) {
  return createStateConfig({
    id: 'signedOut',
    initial: 'noErrors',
    on: {
      SIGN_IN: {
        target: 'authenticating',
        actions: assign(({ context, event }) =>
          contextForAttempt(event.attempt, context.mfaTicket),
        ),
      },
      SESSION_FROM_TAB: {
        target: '#signedIn',
        actions: assign(({ event }) => contextWithSession(event.session)),
      },
      TRY_TOKEN: {
        target: 'tryingToken',
        actions: assign(({ event }) => ({ offeredToken: event.refreshToken })),
      },
    },
    states: {
      previous: { id: 'previousSignedOut', type: 'history' },
      noErrors: {},
      success: { id: 'signedOutByUser' },
      needsEmailVerification: { id: 'needsEmailVerification' },
      needsSmsOtp: { id: 'needsSmsOtp' },
      needsEmailOtp: { id: 'needsEmailOtp' },
      needsMfa: { id: 'needsMfa' },
      failed: { id: 'failed' },
      signingOut: {
        id: 'signingOut',
        // Ignores sessions from other tabs: they are the session that is being ended.
        on: { SIGN_IN: {}, SESSION_FROM_TAB: {}, TRY_TOKEN: {} },
        invoke: {
          src: 'signOut',
          input: ({ context }) => requireValue(context.signOutRequest),
          onDone: [
            {
              guard: ({ event }) => event.output.kind === 'failed',
              target: 'failed',
              actions: assign(({ event }) => contextAfter(event.output)),
            },
            {
              target: 'success',
              actions: assign(({ event }) => contextAfter(event.output)),
            },
          ],
        },
      },
    },
  });
}
