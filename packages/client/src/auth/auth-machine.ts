import { MAX_IMPORT_RETRIES, REFRESH_TICK_MS } from '@longshore/contract';
import { assign, fromPromise, setup } from 'xstate';
import type { Clock } from '../ports.ts';
import { tokenRetryDelayMs } from '../timing/backoff.ts';
import {
  type AuthContext,
  type AuthEffects,
  type AuthEvent,
  type SignOutRequest,
  startingContext,
} from './auth-model.ts';
import { contextAfter, contextWith } from './context-after.ts';
import { type HeldSession, isNewer } from './held-session.ts';
import { type ImportOutcome, isRefused, isWorthRetrying, withoutThrowing } from './outcome.ts';
import { afterFailure, isRefreshDue } from './refresh-due.ts';
import type { SignInAttempt } from './sign-in-attempt.ts';

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
      refresh: fromPromise(async ({ input, signal }: Call<HeldSession>) => ({
        of: input,
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
              guard: ({ event }) => event.output.kind === 'needs-mfa',
              target: 'signedOut.needsMfa',
              actions: assign(({ event }) => contextAfter(event.output, now())),
            },
            {
              target: '#failed',
              actions: assign(({ event }) => contextAfter(event.output, now())),
            },
          ],
        },
      },

      signedOut: {
        id: 'signedOut',
        initial: 'noErrors',
        on: {
          SIGN_IN: {
            target: 'authenticating',
            actions: assign(({ event }) => ({ attempt: event.attempt, error: undefined })),
          },
          SESSION_FROM_TAB: {
            target: '#signedIn',
            actions: assign(({ event }) => contextWith(event.session, now())),
          },
        },
        states: {
          noErrors: {},
          success: { id: 'signedOutByUser' },
          needsEmailVerification: {},
          needsMfa: {},
          failed: { id: 'failed' },
          signingOut: {
            id: 'signingOut',
            // The session that a tab still offers is the one being ended.
            on: { SIGN_IN: {}, SESSION_FROM_TAB: {} },
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
              signOutRequest: { session: held(context), all: event.all },
            })),
          },
          SIGN_OUT_FROM_TAB: {
            target: '#signedOutByUser',
            actions: assign({ session: undefined, error: undefined }),
          },
          REFRESH: { guard: 'isRefreshable', target: '.refreshing' },
          SESSION_FROM_TAB: {
            guard: ({ context, event }) => isNewer(event.session, held(context)),
            target: '.deciding',
            actions: assign(({ event }) => contextWith(event.session, now())),
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
          refreshing: {
            on: {
              REFRESH: {},
              // Not leaving: the call in flight may already have spent the stored token, so its answer counts.
              SESSION_FROM_TAB: {
                guard: ({ context, event }) => isNewer(event.session, held(context)),
                actions: assign(({ event }) => contextWith(event.session, now())),
              },
            },
            invoke: {
              src: 'refresh',
              input: ({ context }) => held(context),
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

function held(context: AuthContext): HeldSession {
  return present(context.session);
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The state has lost what it was entered with');
  return value;
}
