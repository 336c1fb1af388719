import { assign } from 'xstate';
import { isNewer } from '../held-session.ts';
import { held, present } from './auth-model.ts';
import type { AuthSetup } from './auth-setup.ts';
import { contextAfter, contextWith } from './context-after.ts';

/** Somebody anonymous registers. Where something is left to prove, the session has ended. Spec §6. */
export function deanonymizingState({ createStateConfig }: AuthSetup) {
  return createStateConfig({
    on: {
      REFRESH: {},
      TRY_TOKEN: {},
      SIGN_IN: {},
      SESSION_FROM_TAB: {
        guard: ({ context, event }) =>
          isNewer(event.session, held(context)) && event.session.user.isAnonymous,
        actions: assign(({ event }) => contextWith(event.session)),
      },
    },
    invoke: {
      src: 'deanonymize',
      input: ({ context }) => ({ attempt: present(context.attempt), session: held(context) }),
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
          target: 'deciding',
          actions: assign(({ context, event }) => contextAfter(event.output, context.attempt)),
        },
      ],
    },
  });
}
