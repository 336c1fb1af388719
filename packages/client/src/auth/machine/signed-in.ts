import { assign } from 'xstate';
import { isNewer } from '../client-session.ts';
import { isRegistration } from '../sign-in-attempt.ts';
import { clearedSession, sessionOf } from './auth-model.ts';
import type { AuthSetup } from './auth-setup.ts';
import { contextForAttempt, contextWithSession } from './context-updates.ts';
import { deanonymizingState } from './deanonymizing.ts';
import { refreshingState } from './refreshing.ts';

/** Includes the refresh timer (spec-map 4.1.18–19): `waiting` checks every second, `timerOff` never does. */
export function signedInState(setup: AuthSetup) {
  return setup.createStateConfig({
    id: 'signedIn',
    initial: 'choosingTimer',
    on: {
      SIGN_OUT: {
        target: '#signingOut',
        actions: assign(({ context, event }) => ({
          ...clearedSession(),
          signOutRequest: { session: sessionOf(context), all: event.all },
        })),
      },
      // For the same user only: another user may have signed in while the request was running.
      USER_UPDATED: {
        guard: ({ context, event }) => event.user.id === sessionOf(context).user.id,
        actions: assign(({ context, event }) => ({
          session: { ...sessionOf(context), user: event.user },
        })),
      },
      SIGN_OUT_FROM_TAB: { target: '#signedOutByUser', actions: assign(clearedSession()) },
      REFRESH: '.refreshing',
      TRY_TOKEN: {
        target: '.refreshing',
        actions: assign(({ event }) => ({ offeredToken: event.refreshToken })),
      },
      // Ignored for registered users: they are signed in already (spec-map 4.1.16).
      SIGN_IN: {
        guard: ({ context, event }) =>
          sessionOf(context).user.isAnonymous && isRegistration(event.attempt),
        target: '.deanonymizing',
        actions: assign(({ event }) => contextForAttempt(event.attempt, undefined)),
      },
      SESSION_FROM_TAB: {
        guard: ({ context, event }) => isNewer(event.session, sessionOf(context)),
        target: '.choosingTimer',
        actions: assign(({ event }) => ({
          ...contextWithSession(event.session),
          attempt: undefined,
        })),
      },
    },
    states: {
      choosingTimer: {
        always: [{ guard: 'isTimerOff', target: 'timerOff' }, { target: 'waiting' }],
      },
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
