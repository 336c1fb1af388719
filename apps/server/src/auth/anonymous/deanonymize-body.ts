import { z } from 'zod';
import { emailField, passwordField } from '../credentials.ts';
import { signUpOptions } from '../sign-up-options.ts';

/** The three ways to become a registered user. Spec §6; public servers do without the text message. */
export const DeanonymizeBody = z.union([
  z
    .object({
      signInMethod: z.literal('email-password'),
      email: emailField,
      password: passwordField,
      options: signUpOptions,
    })
    .transform((body) => ({ ...body, by: 'password' as const })),
  z
    .object({
      signInMethod: z.literal('passwordless'),
      connection: z.literal('email').nullish(),
      email: emailField,
      options: signUpOptions,
    })
    .transform((body) => ({ ...body, by: 'link' as const })),
  z
    .object({
      signInMethod: z.literal('passwordless'),
      connection: z.literal('sms'),
      phoneNumber: z.string(),
      options: signUpOptions,
    })
    .transform((body) => ({ ...body, by: 'text' as const })),
]);

export type Deanonymization = z.infer<typeof DeanonymizeBody>;
