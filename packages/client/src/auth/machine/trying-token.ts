import { assign } from 'xstate';
import type { AuthSetup } from './auth-setup.ts';
import { afterRefresh, contextAfter, contextWith } from './context-after.ts';

/** Somebody signed out was offered a token. One that opens nothing leaves everything as it was. Spec §4. */
export function tryingTokenState({ createStateConfig }: AuthSetup) {
  return createStateConfig({
    entry: assign({ refreshError: undefined }),
    exit: assign({ givenToken: undefined }),
    on: {
      SIGN_OUT_FROM_TAB: '#asBefore',
      SESSION_FROM_TAB: {
        target: '#signedIn',
        actions: assign(({ event }) => contextWith(event.session)),
      },
    },
    invoke: {
      src: 'refresh',
      input: ({ context }) => ({ session: undefined, given: context.givenToken }),
      onDone: [
        {
          guard: ({ event }) => event.output.outcome.kind === 'session',
          target: '#signedIn',
          actions: assign(({ event }) => contextAfter(event.output.outcome)),
        },
        {
          target: '#asBefore',
          actions: assign(({ event }) => afterRefresh(event.output.outcome)),
        },
      ],
    },
  });
}
