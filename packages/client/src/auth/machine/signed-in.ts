import { assign } from 'xstate';
import { isNewer } from '../held-session.ts';
import { isRegistration } from '../sign-in-attempt.ts';
import { forgotten, held } from './auth-model.ts';
import type { AuthSetup } from './auth-setup.ts';
import { beginning, contextWith } from './context-after.ts';
import { deanonymizingState } from './deanonymizing.ts';
import { refreshingState } from './refreshing.ts';

/** With the refresh timer of spec §4: `waiting` looks each second, `timerOff` never does. */
export function signedInState(setup: AuthSetup) {
  return setup.createStateConfig({
    id: 'signedIn',
    initial: 'deciding',
    on: {
      SIGN_OUT: {
        target: '#signingOut',
        actions: assign(({ context, event }) => ({
          ...forgotten(),
          signOutRequest: { session: held(context), all: event.all },
        })),
      },
      // About the same person only: somebody else may have signed in while the answer was on its way.
      USER_TOLD: {
        guard: ({ context, event }) => event.user.id === held(context).user.id,
        actions: assign(({ context, event }) => ({
          session: { ...held(context), user: event.user },
        })),
      },
      SIGN_OUT_FROM_TAB: { target: '#signedOutByUser', actions: assign(forgotten()) },
      REFRESH: '.refreshing',
      TRY_TOKEN: {
        target: '.refreshing',
        actions: assign(({ event }) => ({ givenToken: event.refreshToken })),
      },
      // Everybody else who is signed in has no use for another sign-in.
      SIGN_IN: {
        guard: ({ context, event }) =>
          held(context).user.isAnonymous && isRegistration(event.attempt),
        target: '.deanonymizing',
        actions: assign(({ event }) => beginning(event.attempt, undefined)),
      },
      SESSION_FROM_TAB: {
        guard: ({ context, event }) => isNewer(event.session, held(context)),
        target: '.deciding',
        actions: assign(({ event }) => ({ ...contextWith(event.session), attempt: undefined })),
      },
    },
    states: {
      deciding: { always: [{ guard: 'isTimerOff', target: 'timerOff' }, { target: 'waiting' }] },
      timerOff: {},
      waiting: {
        after: {
          tick: [
            { guard: 'isRefreshDue', target: 'refreshing' },
            { target: 'waiting', reenter: true },
          ],
        },
      },
      refreshing: refreshingState(setup),
      deanonymizing: deanonymizingState(setup),
    },
  });
}
