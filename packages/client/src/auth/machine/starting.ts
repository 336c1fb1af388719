import { MAX_IMPORT_RETRIES } from '@longshore/contract';
import { assign } from 'xstate';
import type { AuthSetup } from './auth-setup.ts';
import { contextAfter, contextWith } from './context-after.ts';
import { isWorthRetrying } from './outcome.ts';

/** Looks for a session that is already there; a failure that may pass is tried again. Spec §4. */
export function startingState({ createStateConfig }: AuthSetup) {
  return createStateConfig({
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
              actions: assign(({ event }) => contextAfter(event.output)),
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
              actions: assign(({ event }) => contextAfter(event.output)),
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
            actions: assign(({ event }) => contextWith(event.session)),
          },
        },
      },
    },
  });
}
