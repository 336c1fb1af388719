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
  held,
  type RefreshRequest,
  type SignOutRequest,
} from './auth-model.ts';
import { type ImportOutcome, withoutThrowing } from './outcome.ts';
import { isRefreshDue } from './refresh-due.ts';

export type AuthMachineDeps = {
  clock: Clock;
  effects: AuthEffects;
  autoRefresh?: boolean;
  refreshIntervalSeconds?: number;
};

export type AuthSetup = ReturnType<typeof setUpAuth>;

/** The words that the states are written in: what they call, wait for and ask. */
export function setUpAuth(deps: AuthMachineDeps) {
  const { clock, effects, autoRefresh = true, refreshIntervalSeconds } = deps;
  return setup({
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
        endedAt: clock.now(),
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
      isRefreshDue: ({ context }) =>
        isRefreshDue({
          ...held(context),
          now: clock.now(),
          timer: context.refreshTimer,
          refreshIntervalSeconds,
        }),
    },
  });
}

type Call<Input> = { input: Input; signal: AbortSignal };
