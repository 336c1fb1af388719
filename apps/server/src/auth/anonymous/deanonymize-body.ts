import { z } from 'zod';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import { emailField, passwordField } from '../sign-in-fields.ts';
import { signUpOptions } from '../sign-up-options.ts';

const shared = { options: signUpOptions, codeChallenge: codeChallengeField };

/** The three ways to become a registered user. Spec §6; public servers do without the text message. */
export const DeanonymizeBody = z.union([
  z
    .object({
      signInMethod: z.literal('email-password'),
      email: emailField,
      password: passwordField,
      ...shared,
    })
    .transform((body) => ({ ...body, by: 'password' as const })),
  z
    .object({
      signInMethod: z.literal('passwordless'),
      connection: z.literal('email').nullish(),
      email: emailField,
      ...shared,
    })
    .transform((body) => ({ ...body, by: 'link' as const })),
  z
    .object({
      signInMethod: z.literal('passwordless'),
      connection: z.literal('sms'),
      phoneNumber: z.string(),
      ...shared,
    })
    .transform((body) => ({ ...body, by: 'text' as const })),
]);

export type Deanonymization = z.infer<typeof DeanonymizeBody>;
