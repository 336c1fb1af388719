import { assign } from 'xstate';
import { requireValue } from './auth-model.ts';
import type { AuthSetup } from './auth-setup.ts';
import { contextAfter } from './context-updates.ts';

/** A sign-in or sign-up request is running; its outcome decides the next state (spec-map 4.1.12–15, 4.1.32–34). */
export function authenticatingState({ createStateConfig }: AuthSetup) {
  return createStateConfig({
    invoke: {
      src: 'authenticate',
      input: ({ context }) => requireValue(context.attempt),
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
