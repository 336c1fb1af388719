import { assign } from 'xstate';
import { present } from './auth-model.ts';
import type { AuthSetup } from './auth-setup.ts';
import { beginning, contextAfter, contextWith } from './context-after.ts';

/** The substates say how it came to this, and what is needed next. Spec §4. */
export function signedOutState({ createStateConfig }: AuthSetup) {
  return createStateConfig({
    id: 'signedOut',
    initial: 'noErrors',
    on: {
      SIGN_IN: {
        target: 'authenticating',
        actions: assign(({ context, event }) => beginning(event.attempt, context.mfaTicket)),
      },
      SESSION_FROM_TAB: {
        target: '#signedIn',
        actions: assign(({ event }) => contextWith(event.session)),
      },
      TRY_TOKEN: {
        target: 'tryingToken',
        actions: assign(({ event }) => ({ givenToken: event.refreshToken })),
      },
    },
    states: {
      last: { id: 'asBefore', type: 'history' },
      noErrors: {},
      success: { id: 'signedOutByUser' },
      needsEmailVerification: { id: 'needsEmailVerification' },
      needsSmsOtp: { id: 'needsSmsOtp' },
      needsEmailOtp: { id: 'needsEmailOtp' },
      needsMfa: { id: 'needsMfa' },
      failed: { id: 'failed' },
      signingOut: {
        id: 'signingOut',
        // The session that a tab still offers is the one being ended.
        on: { SIGN_IN: {}, SESSION_FROM_TAB: {}, TRY_TOKEN: {} },
        invoke: {
          src: 'signOut',
          input: ({ context }) => present(context.signOutRequest),
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
