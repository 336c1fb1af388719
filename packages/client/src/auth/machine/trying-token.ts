import { assign } from 'xstate';
import type { AuthSetup } from './auth-setup.ts';
import { afterRefresh, contextAfter, contextWithSession } from './context-updates.ts';

/** A signed-out tab tries a token from another tab. If the server rejects it, nothing changes (spec-map 4.1.23). */
export function tryingTokenState({ createStateConfig }: AuthSetup) {
  return createStateConfig({
    entry: assign({ refreshError: undefined }),
    exit: assign({ offeredToken: undefined }),
    on: {
      SIGN_OUT_FROM_TAB: '#previousSignedOut',
      SESSION_FROM_TAB: {
        target: '#signedIn',
        actions: assign(({ event }) => contextWithSession(event.session)),
      },
    },
    invoke: {
      src: 'refresh',
      input: ({ context }) => ({ session: undefined, offeredToken: context.offeredToken }),
      onDone: [
        {
          guard: ({ event }) => event.output.outcome.kind === 'session',
          target: '#signedIn',
          actions: assign(({ event }) => contextAfter(event.output.outcome)),
        },
        {
          target: '#previousSignedOut',
          actions: assign(({ event }) => afterRefresh(event.output.outcome)),
        },
      ],
    },
  });
}
