import { assign } from 'xstate';
import { isNewer } from '../client-session.ts';
import { sessionOf } from './auth-model.ts';
import type { AuthSetup } from './auth-setup.ts';
import { afterRefresh, contextAfter, contextWithSession } from './context-updates.ts';
import { isTokenRejected } from './outcome.ts';
import { afterFailure } from './refresh-due.ts';

/** The only state that refreshes a session, so a tab never runs two refreshes at once (spec-map 4.1.19–22). */
export function refreshingState({ createStateConfig }: AuthSetup) {
  return createStateConfig({
    entry: assign({ refreshError: undefined }),
    exit: assign({ offeredToken: undefined }),
    on: {
      REFRESH: {},
      TRY_TOKEN: {},
      SIGN_IN: {},
      // Stays in this state: the request in flight may already have used the stored token, so its result is needed.
      SESSION_FROM_TAB: {
        guard: ({ context, event }) => isNewer(event.session, sessionOf(context)),
        actions: assign(({ event }) => contextWithSession(event.session)),
      },
    },
    invoke: {
      src: 'refresh',
      input: ({ context }) => ({ session: sessionOf(context), offeredToken: context.offeredToken }),
      onDone: [
        {
          guard: ({ event }) => event.output.outcome.kind === 'session',
          target: 'choosingTimer',
          actions: assign(({ event }) => contextAfter(event.output.outcome)),
        },
        {
          // Failed, but another tab has sent a newer session in the meantime.
          guard: ({ context, event }) =>
            event.output.refreshed?.accessToken !== context.session?.accessToken,
          target: 'choosingTimer',
        },
        {
          guard: ({ event: { output } }) =>
            output.outcome.kind === 'failed' && isTokenRejected(output.outcome.error),
          target: '#failed',
          actions: assign(({ event: { output } }) => ({
            ...contextAfter(output.outcome),
            ...afterRefresh(output.outcome),
            session: undefined,
          })),
        },
        {
          target: 'choosingTimer',
          actions: assign(({ context, event: { output } }) => ({
            ...afterRefresh(output.outcome),
            refreshTimer: afterFailure(context.refreshTimer, output.endedAt),
          })),
        },
      ],
    },
  });
}
