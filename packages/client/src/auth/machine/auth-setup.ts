import { REFRESH_TICK_MS } from '@longshore/contract';
import { fromPromise, setup } from 'xstate';
import type { Clock } from '../../ports.ts';
import { tokenRetryDelayMs } from '../../timing/backoff.ts';
import type { SignInAttempt } from '../sign-in-attempt.ts';
import {
  type AuthContext,
  type AuthEffects,
  type AuthEvent,
  type DeanonymizeRequest,
  type RefreshRequest,
  type SignOutRequest,
  sessionOf,
} from './auth-model.ts';
import { catchFailure, type ImportOutcome } from './outcome.ts';
import { isRefreshDue } from './refresh-due.ts';

export type AuthMachineDeps = {
  clock: Clock;
  effects: AuthEffects;
  autoRefresh?: boolean | undefined;
  refreshIntervalSeconds?: number | undefined;
};

export type AuthSetup = ReturnType<typeof setUpAuth>;

/** The actors, delays and guards that the states refer to. */
export function setUpAuth(deps: AuthMachineDeps) {
  const { clock, effects, autoRefresh = true, refreshIntervalSeconds } = deps;
  return setup({
    types: { context: {} as AuthContext, events: {} as AuthEvent },
    actors: {
      importSession: fromPromise<ImportOutcome>(({ signal }) =>
        catchFailure(() => effects.importSession(signal)),
      ),
      authenticate: fromPromise(({ input, signal }: Call<SignInAttempt>) =>
        catchFailure(() => effects.authenticate(input, signal)),
      ),
      deanonymize: fromPromise(({ input, signal }: Call<DeanonymizeRequest>) =>
        catchFailure(() => effects.deanonymize(input, signal)),
      ),
      refresh: fromPromise(async ({ input, signal }: Call<RefreshRequest>) => ({
        refreshed: input.session,
        outcome: await catchFailure(() => effects.refresh(input, signal)),
        endedAt: clock.now(),
      })),
      signOut: fromPromise(({ input, signal }: Call<SignOutRequest>) =>
        catchFailure(() => effects.signOut(input, signal)),
      ),
    },
    delays: {
      tick: REFRESH_TICK_MS,
      importRetry: ({ context }) => tokenRetryDelayMs(context.importTokenAttempts),
    },
    guards: {
      isTimerOff: ({ context }) => !autoRefresh || sessionOf(context).isPersonalAccessToken,
      isRefreshDue: ({ context }) =>
        isRefreshDue({
          ...sessionOf(context),
          now: clock.now(),
          timer: context.refreshTimer,
          refreshIntervalSeconds,
        }),
    },
  });
}

type Call<Input> = { input: Input; signal: AbortSignal };
