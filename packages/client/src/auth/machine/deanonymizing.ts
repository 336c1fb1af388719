import { assign } from 'xstate';
import { isNewer } from '../client-session.ts';
import { requireValue, sessionOf } from './auth-model.ts';
import type { AuthSetup } from './auth-setup.ts';
import { contextAfter, contextWithSession } from './context-updates.ts';

/** An anonymous user registers. If something is left to verify, the session has ended (spec-map 6.4). */
export function deanonymizingState({ createStateConfig }: AuthSetup) {
  return createStateConfig({
    on: {
      REFRESH: {},
      TRY_TOKEN: {},
      SIGN_IN: {},
      SESSION_FROM_TAB: {
        guard: ({ context, event }) =>
          isNewer(event.session, sessionOf(context)) && event.session.user.isAnonymous,
        actions: assign(({ event }) => contextWithSession(event.session)),
      },
    },
    invoke: {
      src: 'deanonymize',
      input: ({ context }) => ({
        attempt: requireValue(context.attempt),
        session: sessionOf(context),
      }),
      onDone: [
        {
          guard: ({ event }) => event.output.kind === 'needs-email-verification',
          target: '#needsEmailVerification',
          actions: assign(({ event }) => ({ ...contextAfter(event.output), session: undefined })),
        },
        {
          guard: ({ event }) => event.output.kind === 'needs-sms-otp',
          target: '#needsSmsOtp',
          actions: assign(({ event }) => ({ ...contextAfter(event.output), session: undefined })),
        },
        {
          guard: ({ event }) => event.output.kind === 'needs-mfa',
          target: '#needsMfa',
          actions: assign(({ event }) => ({ ...contextAfter(event.output), session: undefined })),
        },
        {
          target: 'choosingTimer',
          actions: assign(({ context, event }) => contextAfter(event.output, context.attempt)),
        },
      ],
    },
  });
}
