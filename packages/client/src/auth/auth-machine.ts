import { MAX_IMPORT_RETRIES, REFRESH_TICK_MS } from '@longshore/contract';
import { assign, fromPromise, setup } from 'xstate';
import type { Clock } from '../ports.ts';
import { tokenRetryDelayMs } from '../timing/backoff.ts';
import {
  type AuthContext,
  type AuthEffects,
  type AuthEvent,
  type DeanonymizeRequest,
  type RefreshRequest,
  type SignOutRequest,
  startingContext,
} from './auth-model.ts';
import { contextAfter, contextWith } from './context-after.ts';
import { type HeldSession, isNewer } from './held-session.ts';
import { type ImportOutcome, isRefused, isWorthRetrying, withoutThrowing } from './outcome.ts';
import { afterFailure, isRefreshDue } from './refresh-due.ts';
import { isRegistration, type SignInAttempt } from './sign-in-attempt.ts';

export type AuthMachineDeps = {
  clock: Clock;
  effects: AuthEffects;
  autoRefresh?: boolean;
  refreshIntervalSeconds?: number;
};

export type AuthMachine = ReturnType<typeof createAuthMachine>;

/**
 * The states of spec §4. The machine decides, `effects` act: they also write the storage and tell the
 * other tabs, because a refreshed token must be stored before another tab may refresh.
 *
 *   starting ──► signedOut ◄──► authenticating ──► signedIn { waiting ◄──► refreshing }
 *      └──────────────────────────────────────────────▲  │
 *                  signedOut.signingOut ◄────────────────┘
 *   signedOut ◄──► tryingToken ──► signedIn, when another tab offers a token
 */
export function createAuthMachine(deps: AuthMachineDeps) {
  const { clock, effects, autoRefresh = true, refreshIntervalSeconds } = deps;
  const now = () => clock.now();

  const machine = setup({
    types: { context: {} as AuthContext, events: {} as AuthEvent },
    actors: {
      importSession: fromPromise<ImportOutcome>(({ signal }) =>
        withoutThrowing(() => effects.importSession(signal)),
      ),
      authenticate: fromPromise(({ input, signal }: Call<SignInAttempt>) =>
        withoutThrowing(() => effects.authenticate(input, signal)),
      ),
      deanonymize: fromPromise(({ input, signal }: Call<DeanonymizeRequest>) =>
        withoutThrowing(() => effects.deanonymize(input, signal)),
      ),
      refresh: fromPromise(async ({ input, signal }: Call<RefreshRequest>) => ({
        of: input.session,
        outcome: await withoutThrowing(() => effects.refresh(input, signal)),
      })),
      signOut: fromPromise(({ input, signal }: Call<SignOutRequest>) =>
        withoutThrowing(() => effects.signOut(input, signal)),
      ),
    },
    delays: {
      tick: REFRESH_TICK_MS,
      importRetry: ({ context }) => tokenRetryDelayMs(context.importTokenAttempts),
    },
    guards: {
      isTimerOff: ({ context }) => !autoRefresh || held(context).isPersonalAccessToken,
      isRefreshable: ({ context }) => !held(context).isPersonalAccessToken,
      isRefreshDue: ({ context }) =>
        isRefreshDue({
          ...held(context),
          now: now(),
          timer: context.refreshTimer,
          refreshIntervalSeconds,
        }),
    },
  });

  return machine.createMachine({
    id: 'auth',
    context: startingContext(),
    initial: 'starting',
    states: {
      starting: {
        initial: 'importing',
        on: { SIGN_OUT_FROM_TAB: '#signedOutByUser' },
        states: {
          importing: {
            invoke: {
              src: 'importSession',
              onDone: [
                {
                  guard: ({ event }) => event.output.kind === 'session',
                  target: '#signedIn',
                  actions: assign(({ event }) => contextAfter(event.output, now())),
                },
                {
                  guard: ({ context, event: { output } }) =>
                    output.kind === 'failed' &&
                    isWorthRetrying(output.error) &&
                    context.importTokenAttempts < MAX_IMPORT_RETRIES,
                  target: 'waiting',
                  actions: assign(({ context }) => ({
                    importTokenAttempts: context.importTokenAttempts + 1,
                  })),
                },
                {
                  guard: ({ event }) => event.output.kind === 'failed',
                  target: '#failed',
                  actions: assign(({ event }) => contextAfter(event.output, now())),
                },
                { target: '#signedOut' },
              ],
            },
          },
          waiting: {
            after: { importRetry: 'importing' },
            on: {
              // The line is back for another tab: what it has stored is found by importing.
              TRY_TOKEN: 'importing',
              SESSION_FROM_TAB: {
                target: '#signedIn',
                actions: assign(({ event }) => contextWith(event.session, now())),
              },
            },
          },
        },
      },

      authenticating: {
        invoke: {
          src: 'authenticate',
          input: ({ context }) => present(context.attempt),
          onDone: [
            {
              guard: ({ event }) => event.output.kind === 'session',
              target: '#signedIn',
              actions: assign(({ event }) => contextAfter(event.output, now())),
            },
            {
              guard: ({ event }) => event.output.kind === 'needs-email-verification',
              target: 'signedOut.needsEmailVerification',
              actions: assign(({ event }) => contextAfter(event.output, now())),
            },
            {
              guard: ({ event }) => event.output.kind === 'needs-otp',
              target: 'signedOut.needsOtp',
              actions: assign(({ event }) => contextAfter(event.output, now())),
            },
            {
              guard: ({ event }) => event.output.kind === 'needs-mfa',
              target: 'signedOut.needsMfa',
              actions: assign(({ event }) => contextAfter(event.output, now())),
            },
            {
              target: '#failed',
              actions: assign(({ context, event }) =>
                contextAfter(event.output, now(), context.attempt),
              ),
            },
          ],
        },
      },

      // A token that opens nothing leaves everything as it was.
      tryingToken: {
        exit: assign({ givenToken: undefined }),
        on: {
          SIGN_OUT_FROM_TAB: 'signedOut.last',
          SESSION_FROM_TAB: {
            target: '#signedIn',
            actions: assign(({ event }) => contextWith(event.session, now())),
          },
        },
        invoke: {
          src: 'refresh',
          input: ({ context }) => ({ session: undefined, given: context.givenToken }),
          onDone: [
            {
              guard: ({ event }) => event.output.outcome.kind === 'session',
              target: '#signedIn',
              actions: assign(({ event }) => contextAfter(event.output.outcome, now())),
            },
            'signedOut.last',
          ],
        },
      },

      signedOut: {
        id: 'signedOut',
        initial: 'noErrors',
        on: {
          SIGN_IN: {
            target: 'authenticating',
            actions: assign(({ context, event }) => beginning(event.attempt, context.mfaTicket)),
          },
          SESSION_FROM_TAB: {
            target: '#signedIn',
            actions: assign(({ event }) => contextWith(event.session, now())),
          },
          TRY_TOKEN: {
            target: 'tryingToken',
            actions: assign(({ event }) => ({ givenToken: event.refreshToken })),
          },
        },
        states: {
          last: { type: 'history' },
          noErrors: {},
          success: { id: 'signedOutByUser' },
          needsEmailVerification: { id: 'needsEmailVerification' },
          needsOtp: { id: 'needsOtp' },
          needsMfa: {},
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
                  actions: assign(({ event }) => contextAfter(event.output, now())),
                },
                {
                  target: 'success',
                  actions: assign(({ event }) => contextAfter(event.output, now())),
                },
              ],
            },
          },
        },
      },

      signedIn: {
        id: 'signedIn',
        initial: 'deciding',
        on: {
          SIGN_OUT: {
            target: '#signingOut',
            actions: assign(({ context, event }) => ({
              session: undefined,
              error: undefined,
              registrationError: undefined,
              attempt: undefined,
              signOutRequest: { session: held(context), all: event.all },
            })),
          },
          SIGN_OUT_FROM_TAB: {
            target: '#signedOutByUser',
            actions: assign({
              session: undefined,
              error: undefined,
              registrationError: undefined,
              attempt: undefined,
            }),
          },
          REFRESH: { guard: 'isRefreshable', target: '.refreshing' },
          TRY_TOKEN: {
            guard: 'isRefreshable',
            target: '.refreshing',
            actions: assign(({ event }) => ({ givenToken: event.refreshToken })),
          },
          // Everybody else who is signed in has no use for another sign-in. Spec §4.
          SIGN_IN: {
            guard: ({ context, event }) =>
              held(context).user.isAnonymous && isRegistration(event.attempt),
            target: '.deanonymizing',
            actions: assign(({ event }) => beginning(event.attempt, undefined)),
          },
          SESSION_FROM_TAB: {
            guard: ({ context, event }) => isNewer(event.session, held(context)),
            target: '.deciding',
            actions: assign(({ event }) => ({
              ...contextWith(event.session, now()),
              attempt: undefined,
            })),
          },
        },
        states: {
          deciding: { always: [{ guard: 'isTimerOff', target: 'timerOff' }, 'waiting'] },
          timerOff: {},
          waiting: {
            after: {
              tick: [
                { guard: 'isRefreshDue', target: 'refreshing' },
                { target: 'waiting', reenter: true },
              ],
            },
          },
          deanonymizing: {
            on: {
              REFRESH: {},
              TRY_TOKEN: {},
              SIGN_IN: {},
              SESSION_FROM_TAB: {
                guard: ({ context, event }) =>
                  isNewer(event.session, held(context)) && event.session.user.isAnonymous,
                actions: assign(({ event }) => contextWith(event.session, now())),
              },
            },
            invoke: {
              src: 'deanonymize',
              input: ({ context }) => ({
                attempt: present(context.attempt),
                session: held(context),
              }),
              onDone: [
                {
                  guard: ({ event }) => event.output.kind === 'needs-email-verification',
                  target: '#needsEmailVerification',
                  actions: assign(({ event }) => ({
                    ...contextAfter(event.output, now()),
                    session: undefined,
                  })),
                },
                {
                  guard: ({ event }) => event.output.kind === 'needs-otp',
                  target: '#needsOtp',
                  actions: assign(({ event }) => ({
                    ...contextAfter(event.output, now()),
                    session: undefined,
                  })),
                },
                {
                  target: 'deciding',
                  actions: assign(({ context, event }) =>
                    contextAfter(event.output, now(), context.attempt),
                  ),
                },
              ],
            },
          },
          refreshing: {
            exit: assign({ givenToken: undefined }),
            on: {
              REFRESH: {},
              TRY_TOKEN: {},
              SIGN_IN: {},
              // Not leaving: the call in flight may already have spent the stored token, so its answer counts.
              SESSION_FROM_TAB: {
                guard: ({ context, event }) => isNewer(event.session, held(context)),
                actions: assign(({ event }) => contextWith(event.session, now())),
              },
            },
            invoke: {
              src: 'refresh',
              input: ({ context }) => ({ session: held(context), given: context.givenToken }),
              onDone: [
                {
                  guard: ({ event }) => event.output.outcome.kind === 'session',
                  target: 'deciding',
                  actions: assign(({ event }) => contextAfter(event.output.outcome, now())),
                },
                {
                  // Refused or lost, but another tab has brought a newer session meanwhile.
                  guard: ({ context, event }) => event.output.of !== context.session,
                  target: 'deciding',
                },
                {
                  guard: ({ event: { output } }) =>
                    output.outcome.kind === 'failed' && isRefused(output.outcome.error),
                  target: '#failed',
                  actions: assign(({ event }) => ({
                    ...contextAfter(event.output.outcome, now()),
                    session: undefined,
                  })),
                },
                {
                  target: 'deciding',
                  actions: assign(({ context, event }) => ({
                    ...contextAfter(event.output.outcome, now()),
                    refreshTimer: afterFailure(context.refreshTimer, now()),
                  })),
                },
              ],
            },
          },
        },
      },
    },
  });
}

type Call<Input> = { input: Input; signal: AbortSignal };

/** A second factor needs the ticket of the first; any other attempt starts afresh. */
function beginning(attempt: SignInAttempt, mfaTicket: string | undefined): Partial<AuthContext> {
  const isSecondFactor = attempt.kind === 'mfa-totp';
  return {
    attempt:
      isSecondFactor && mfaTicket !== undefined ? { ticket: mfaTicket, ...attempt } : attempt,
    mfaTicket: isSecondFactor ? mfaTicket : undefined,
    error: undefined,
    registrationError: undefined,
  };
}

function held(context: AuthContext): HeldSession {
  return present(context.session);
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The state has lost what it was entered with');
  return value;
}
