import { assign } from 'xstate';
import { isNewer } from '../held-session.ts';
import { held } from './auth-model.ts';
import type { AuthSetup } from './auth-setup.ts';
import { afterRefresh, contextAfter, contextWith } from './context-after.ts';
import { isRefused } from './outcome.ts';
import { afterFailure } from './refresh-due.ts';

/** The only place where a session is refreshed, so two refreshes never meet in one tab. Spec §4. */
export function refreshingState({ createStateConfig }: AuthSetup) {
  return createStateConfig({
    entry: assign({ refreshError: undefined }),
    exit: assign({ givenToken: undefined }),
    on: {
      REFRESH: {},
      TRY_TOKEN: {},
      SIGN_IN: {},
      // Not leaving: the call in flight may already have spent the stored token, so its answer counts.
      SESSION_FROM_TAB: {
        guard: ({ context, event }) => isNewer(event.session, held(context)),
        actions: assign(({ event }) => contextWith(event.session)),
      },
    },
    invoke: {
      src: 'refresh',
      input: ({ context }) => ({ session: held(context), given: context.givenToken }),
      onDone: [
        {
          guard: ({ event }) => event.output.outcome.kind === 'session',
          target: 'deciding',
          actions: assign(({ event }) => contextAfter(event.output.outcome)),
        },
        {
          // Refused or lost, but another tab has brought a newer session meanwhile.
          guard: ({ context, event }) =>
            event.output.of?.accessToken !== context.session?.accessToken,
          target: 'deciding',
        },
        {
          guard: ({ event: { output } }) =>
            output.outcome.kind === 'failed' && isRefused(output.outcome.error),
          target: '#failed',
          actions: assign(({ event: { output } }) => ({
            ...contextAfter(output.outcome),
            ...afterRefresh(output.outcome),
            session: undefined,
          })),
        },
        {
          target: 'deciding',
          actions: assign(({ context, event: { output } }) => ({
            ...afterRefresh(output.outcome),
            refreshTimer: afterFailure(context.refreshTimer, output.endedAt),
          })),
        },
      ],
    },
  });
}
