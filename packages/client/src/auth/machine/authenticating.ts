import { assign } from 'xstate';
import { present } from './auth-model.ts';
import type { AuthSetup } from './auth-setup.ts';
import { contextAfter } from './context-after.ts';

/** One attempt to sign in or up is on its way; its answer decides where it ends. Spec §4. */
export function authenticatingState({ createStateConfig }: AuthSetup) {
  return createStateConfig({
    invoke: {
      src: 'authenticate',
      input: ({ context }) => present(context.attempt),
      onDone: [
        {
          guard: ({ event }) => event.output.kind === 'session',
          target: '#signedIn',
          actions: assign(({ event }) => contextAfter(event.output)),
        },
        {
          guard: ({ event }) => event.output.kind === 'needs-email-verification',
          target: '#needsEmailVerification',
          actions: assign(({ event }) => contextAfter(event.output)),
        },
        {
          guard: ({ event }) => event.output.kind === 'needs-sms-otp',
          target: '#needsSmsOtp',
          actions: assign(({ event }) => contextAfter(event.output)),
        },
        {
          guard: ({ event }) => event.output.kind === 'needs-email-otp',
          target: '#needsEmailOtp',
          actions: assign(({ event }) => contextAfter(event.output)),
        },
        {
          guard: ({ event }) => event.output.kind === 'needs-mfa',
          target: '#needsMfa',
          actions: assign(({ event }) => contextAfter(event.output)),
        },
        {
          target: '#failed',
          actions: assign(({ context, event }) => contextAfter(event.output, context.attempt)),
        },
      ],
    },
  });
}
