import { MAX_IMPORT_RETRIES } from '@longshore/contract';
import { assign } from 'xstate';
import type { AuthSetup } from './auth-setup.ts';
import { contextAfter, contextWithSession } from './context-updates.ts';
import { isRetryable } from './outcome.ts';

/** Imports an existing session and retries after temporary failures (spec-map 4.1.1–4). */
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
                isRetryable(output.error) &&
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
            {
              guard: ({ event }) => event.output.kind === 'needs-mfa',
              target: '#needsMfa',
              actions: assign(({ event }) => contextAfter(event.output)),
            },
            { target: '#signedOut' },
          ],
        },
      },
      waiting: {
        after: { importRetry: 'importing' },
        on: {
          // Another tab is online again: importing finds the session it has stored.
          TRY_TOKEN: 'importing',
          SESSION_FROM_TAB: {
            target: '#signedIn',
            actions: assign(({ event }) => contextWithSession(event.session)),
          },
        },
      },
    },
  });
}
