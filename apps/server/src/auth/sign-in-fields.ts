import { isEmail } from '@longshore/contract';
import { z } from 'zod';
import { Secret } from '../secrets/secret.ts';

/** An e-mail address, in the form in which it is stored. */
export const emailField = z
  .string()
  .transform((email) => email.trim().toLowerCase())
  .refine(isEmail);

/** Limited because argon2 reads the whole password. */
const PASSWORD_MAX_LENGTH = 256;

export const passwordField = z
  .string()
  .max(PASSWORD_MAX_LENGTH)
  .transform((password) => new Secret(password));

/** Longer than any one-time code with spaces. */
const CODE_MAX_LENGTH = 64;

export const oneTimeCodeField = z.string().max(CODE_MAX_LENGTH);

const INVITATION_MAX_LENGTH = 128;

/** The token of an invitation. Sent by Longshore's own console only. */
export const invitationField = z
  .string()
  .max(INVITATION_MAX_LENGTH)
  .nullish()
  .transform((token) => (token ? new Secret(token) : undefined));

/** Sent by Longshore's own console only. An empty field counts as absent. */
export const setupCodeField = z
  .string()
  .max(CODE_MAX_LENGTH)
  .nullish()
  .transform((code) => (code?.trim() ? new Secret(code) : undefined));
