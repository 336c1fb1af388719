import { z } from 'zod';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import type { AuthDeps } from '../deps.ts';
import { parsePhoneNumber } from '../otp/phone-number.ts';
import { emailField, passwordField } from '../sign-in-fields.ts';
import { type SignUpFields, signUpFields, signUpOptions } from '../sign-up-options.ts';

const shared = { options: signUpOptions, codeChallenge: codeChallengeField };

/** The three ways to register an anonymous user (spec-map 7.2.16). */
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

export type Registration = SignUpFields & {
  /** Either this or the phone number is set. */
  email: string | null;
  phoneNumber: string | null;
  passwordHash: string | null;
};

/** The fields of the registered user. */
export async function registrationOf(
  body: z.infer<typeof DeanonymizeBody>,
  { passwords, settings }: Pick<AuthDeps, 'passwords' | 'settings'>,
): Promise<Registration> {
  if (body.by === 'text') {
    const phoneNumber = parsePhoneNumber(body.phoneNumber);
    if (phoneNumber === undefined) throw new AuthProblem('cannot-send-sms');
    const fields = signUpFields(body.options, phoneNumber);
    return { ...fields, email: null, phoneNumber, passwordHash: null };
  }
  const { email, options } = body;
  const fields = signUpFields(options, email);
  if (body.by === 'link') return { ...fields, email, phoneNumber: null, passwordHash: null };
  if (body.password.reveal().length < settings.passwordMinLength)
    throw new AuthProblem('password-too-short');
  const passwordHash = await passwords.hash(body.password);
  return { ...fields, email, phoneNumber: null, passwordHash };
}
